import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { createTaskDashboardError } from '../errors.ts'
import type { Monitoring } from '../queue-app/monitoring/monitoring.ts'
import type { Operations } from '../queue-app/operations/operations.ts'
import { unsetProblems } from '../input/unset-problems.ts'
import { isObject } from '../json/is-object.ts'
import { isAction, isWrite, type Action } from './actions.ts'
import { isInterface } from './interface/interface-folder.ts'
import type { Authorize, Identify, Scope } from './access/callbacks.ts'
import { MAX_RATE_LIMIT, RATE_LIMIT_DEFAULTS, type RateLimitOptions } from './access/rate-limits.ts'
import { problemOfSignInUrl } from './access/sign-in-url.ts'
import { problemOfFrameAncestors } from './http/headers.ts'
import {
  InterfaceOptions, interfaceProblems, resolveInterfaceOptions, type ResolvedInterfaceOptions
} from './interface/interface-options.ts'

export type { AccessResource, Authorize, Identify, Scope, User } from './access/callbacks.ts'

/** What a dashboard shows. Any `QueueApp` is one. */
export interface ShownQueueApp {
  readonly monitoring: Monitoring
  readonly operations: Operations
  /** Needed for the option `scope`. */
  within?(isVisible: (taskName: string) => boolean): { readonly monitoring: Monitoring; readonly operations: Operations }
}

/**
 * Options of `dashboardPlugin`. Without `auth`, `authorize` and `access`, only local requests are answered; with `NODE_ENV=production`,
 * none at all. `prefix`, `auth`, `authorize`, `access`, `scope` and `readOnly` must not be undefined or null, because an unset environment
 * variable would then grant access. Leave them out instead.
 */
export interface DashboardOptions {
  /** The queue app to show. */
  queueApp: ShownQueueApp
  /** Path of the dashboard, of any depth, with or without a trailing slash. Default: the root. */
  prefix?: string
  /** Protects every route with HTTP basic authentication. Use it only over HTTPS. `realm` defaults to `Task dashboard`. */
  auth?: { username: string; password: string; realm?: string }
  /** Decides each action. With `auth`, it is called only after the password was verified. */
  authorize?: Authorize
  /**
   * `host`: the host application guards these routes itself. Excludes `auth` and `authorize`. `local`: only local requests are answered,
   * also in production. `auth` and `authorize` apply in addition. Requests through a proxy on the same machine that adds no header look
   * local.
   */
  access?: 'host' | 'local'
  /**
   * Limits each request to some tasks, in every response: lists, counts, charts, search, audit log, writes. Called once for each request,
   * after access was granted. Default: everybody sees all tasks.
   */
  scope?: Scope
  /**
   * Returns the user of a request, to record who changed a schedule and to show the name in the header of the interface. Called at most
   * once per request, after access was granted. Takes precedence over the user name of `auth`. Never read the name from a header that a
   * client can send. Default: the user name of `auth`.
   */
  identify?: Identify
  /**
   * Where browsers sign in: a path, or an http or https URL. `{return}` in its query is replaced by the percent-encoded path of the
   * requested page, as in `/login?return_to={return}`. The page for users who are not signed in links to it. Default: none, no link.
   */
  signInUrl?: string
  /**
   * How many writes a user at one address may make, and how many wrong passwords one address may send, per minute and process, each 1 to
   * 1,000,000. More are refused with 429. Default `{ writesPerMinute: 1200, failedSignInsPerMinute: 30 }`.
   */
  rateLimit?: { writesPerMinute?: number; failedSignInsPerMinute?: number }
  /** Refuses every write with 403. Default false. */
  readOnly?: boolean
  /** Actions that need a reason, for the audit log: `['schedules:delete']`. Default: none. */
  requireReason?: Action[]
  /** Name of the dashboard, 1 to 100 characters. Default `Tasks`. */
  title?: string
  /** Shown as a badge, for example `production`, 1 to 40 characters. Default none. */
  environment?: string
  /**
   * How the interface looks. Colours are written `#3b5bdb` or `#35d`; addresses are paths that begin with a slash, or http or https URLs.
   */
  interface?: {
    /** Address of a small picture before the title. It is shown 20 pixels high. Default none. */
    logo?: string
    /** Colour of links, buttons and marks. It is darkened or lightened as far as each theme needs to be readable. Default blue. */
    accent?: string
    /** Colour of the badge of `environment`. Default: red for production, amber for staging, else grey. */
    environmentColour?: string
    /** A link before the title, for example back to the host application. `text` has 1 to 60 characters. Default none. */
    backLink?: { href: string; text: string }
    /** Theme of readers who have not chosen one. Default `system`: as their device is set. */
    defaultTheme?: 'system' | 'light' | 'dark'
    /** Language of readers who have not chosen one. Default `auto`: as their browser is set, or English if we do not have that. */
    language?: 'auto' | 'en' | 'de'
    /** Address of a job's trace, such as `https://traces.example.com/trace/{trace_id}`; `{span_id}` is replaced too. Default: no link. */
    traceUrl?: string
  }
  /**
   * Which pages may show the dashboard in a frame: `self`, or origins such as `https://portal.example.com` or `https://*.example.com`, at
   * most 20. A page in a frame can trick a user into clicking, so list only pages you trust. Default: none.
   */
  frameAncestors?: string[]
  /**
   * Path that browsers see, for example `/ops/tasks`. Needed only behind a proxy that replaces the last segment of the path. Default:
   * worked out from each request.
   */
  publicPath?: string
  /**
   * Trusts the proxy's X-Forwarded-Prefix (the path it removed) and X-Forwarded-Host. Set it only if every request comes through a proxy
   * that sets or removes both. It never affects the local check. Default false.
   */
  trustForwarded?: boolean
  /**
   * Folder of the interface files: `ui-dist` of this package, or a copy from the same version. Needed if the package is bundled, because
   * the files are then not next to the code. The API works without it. Default: found in the package.
   */
  interfaceFolder?: string
  /**
   * Lists the API in the host's own @fastify/swagger document, under these tags. Register that plugin first. Default: not listed.
   */
  tags?: string[]
}

/** Validated, with defaults, frozen. */
export interface ResolvedOptions {
  readonly monitoring: Monitoring
  readonly operations: Operations
  readonly prefix: string
  readonly auth: { readonly username: string; readonly password: string; readonly realm: string } | null
  readonly authorize: Authorize | null
  readonly scope: Scope | null
  readonly within: NonNullable<ShownQueueApp['within']> | null
  readonly identify: Identify | null
  readonly signInUrl: string | null
  readonly guardedByHost: boolean
  /** Which requests reach `auth` and `authorize`. */
  readonly answers: 'everybody' | 'local' | 'nobody'
  /** No access option is set, so `answers` is the default. */
  readonly isUnconfigured: boolean
  readonly rateLimit: RateLimitOptions
  readonly readOnly: boolean
  readonly requireReason: readonly Action[]
  readonly title: string
  readonly environment: string | null
  readonly theme: ResolvedInterfaceOptions
  readonly frameAncestors: readonly string[]
  readonly publicPath: string | null
  readonly trustForwarded: boolean
  /** null: the folder in the package. */
  readonly interfaceFolder: string | null
  readonly tags: readonly string[] | null
}

// No quotes, backslashes or control characters: the realm goes into a header unescaped.
const Realm = Type.String({ minLength: 1, maxLength: 100, pattern: '^[ !#-\\[\\]-~]+$' })
const Password = Type.String({ minLength: 1, maxLength: 1000, pattern: '^[^\\u0000-\\u001f\\u007f]+$' })
const Username = Type.String({ minLength: 1, maxLength: 200, pattern: '^[^:\\u0000-\\u001f\\u007f]+$' })
/** A path of encoded segments. Empty segments are refused, because `//` at the start would name another host. */
export const PATH = '^(/[A-Za-z0-9._~!$&\'()*+,;=:@%-]+)*/?$'

const PerMinute = Type.Integer({ minimum: 1, maximum: MAX_RATE_LIMIT })

const OptionsSchema = Type.Object({
  prefix: Type.Optional(Type.String()),
  auth: Type.Optional(Type.Object(
    { username: Username, password: Password, realm: Type.Optional(Realm) }, { additionalProperties: false }
  )),
  authorize: Type.Optional(Type.Function([], Type.Unknown())),
  scope: Type.Optional(Type.Function([], Type.Unknown())),
  identify: Type.Optional(Type.Function([], Type.Unknown())),
  signInUrl: Type.Optional(Type.String({ minLength: 1, maxLength: 2000 })),
  access: Type.Optional(Type.Union([Type.Literal('host'), Type.Literal('local')])),
  rateLimit: Type.Optional(Type.Object(
    { writesPerMinute: Type.Optional(PerMinute), failedSignInsPerMinute: Type.Optional(PerMinute) }, { additionalProperties: false }
  )),
  readOnly: Type.Optional(Type.Boolean()),
  requireReason: Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 100 })),
  title: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  environment: Type.Optional(Type.String({ minLength: 1, maxLength: 40 })),
  interface: Type.Optional(InterfaceOptions),
  frameAncestors: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 300 }), { maxItems: 20 })),
  publicPath: Type.Optional(Type.String({ maxLength: 1000, pattern: PATH })),
  trustForwarded: Type.Optional(Type.Boolean()),
  interfaceFolder: Type.Optional(Type.String({ minLength: 1 })),
  tags: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { minItems: 1, maxItems: 20 })),
  // Fastify's own options of register().
  logLevel: Type.Optional(Type.String()),
  logSerializers: Type.Optional(Type.Unknown())
}, { additionalProperties: false })

/** All option names. A test checks that each is documented. */
export const OPTION_NAMES = [
  'queueApp', 'prefix', 'auth', 'authorize', 'access', 'scope', 'identify', 'signInUrl', 'rateLimit', 'readOnly', 'requireReason', 'title',
  'environment', 'interface', 'frameAncestors', 'publicPath', 'trustForwarded', 'interfaceFolder', 'tags'
] as const satisfies
  ReadonlyArray<keyof DashboardOptions>

/** Options whose default grants access or moves the dashboard. */
const UNSET = {
  auth: 'no password',
  authorize: 'no decision for each action',
  access: 'the other options to decide',
  scope: 'a dashboard that shows every task to everybody',
  readOnly: 'a dashboard that writes'
} as const satisfies { readonly [Option in keyof DashboardOptions]?: string }
const UNSET_AUTH = { username: null, password: null }

/**
 * Throws one INVALID_OPTIONS that lists all problems.
 * @param environment NODE_ENV
 * @param more problems that the caller found in its own options
 */
export function resolveOptions(
  options: DashboardOptions, environment = process.env['NODE_ENV'], more: readonly string[] = []
): ResolvedOptions {
  const problems = [...problemsOf(options), ...more]
  if (problems.length > 0) throw createTaskDashboardError('INVALID_OPTIONS', [problems.join('; ')])
  const title = options.title ?? 'Tasks'
  const isUnconfigured = !options.auth && !options.authorize && !options.access
  return Object.freeze({
    monitoring: options.queueApp.monitoring,
    operations: options.queueApp.operations,
    prefix: (options.prefix ?? '').replace(/(?<!\/)\/+$/, ''),
    auth: options.auth ? Object.freeze({ ...options.auth, realm: options.auth.realm ?? 'Task dashboard' }) : null,
    authorize: options.authorize ?? null,
    scope: options.scope ?? null,
    within: options.queueApp.within?.bind(options.queueApp) ?? null,
    identify: options.identify ?? null,
    signInUrl: options.signInUrl ?? null,
    guardedByHost: options.access === 'host',
    answers: options.access === 'local' ? 'local' : !isUnconfigured ? 'everybody' : environment === 'production' ? 'nobody' : 'local',
    isUnconfigured,
    rateLimit: Object.freeze({ ...RATE_LIMIT_DEFAULTS, ...options.rateLimit }),
    readOnly: options.readOnly ?? false,
    requireReason: Object.freeze([...options.requireReason ?? []]),
    title,
    environment: options.environment ?? null,
    theme: resolveInterfaceOptions(options.interface),
    frameAncestors: Object.freeze([...options.frameAncestors ?? []]),
    publicPath: options.publicPath?.replace(/\/$/, '') ?? null,
    trustForwarded: options.trustForwarded ?? false,
    interfaceFolder: options.interfaceFolder ?? null,
    tags: options.tags ?? null
  })
}

function unsetProblemsOf(options: Partial<DashboardOptions>): Map<string, string> {
  return new Map([
    ...unsetPrefix(options),
    ...unsetProblems(options, UNSET),
    ...isObject(options.auth) ? unsetProblems(options.auth, UNSET_AUTH, 'auth.') : []
  ])
}

/** '' means the root, as in Fastify. */
export function unsetPrefix(options: { readonly prefix?: unknown }): ReadonlyMap<string, string> {
  return options.prefix === '' ? new Map() : unsetProblems(options, { prefix: 'the root' })
}

function problemsOf(options: unknown): string[] {
  if (!isObject(options)) return ['they must be an object']
  const { queueApp, ...rest } = options as Partial<DashboardOptions>
  const problems: string[] = []
  if (typeof queueApp?.monitoring?.statistics !== 'function' || typeof queueApp.operations?.runSchedule !== 'function')
    problems.push('queueApp must be a QueueApp')
  else if (typeof rest.scope === 'function' && typeof queueApp.within !== 'function')
    problems.push('scope needs a queueApp with the method within, as every QueueApp has it')
  const unset = unsetProblemsOf(rest)
  problems.push(...unset.values())
  const seen = new Set(unset.keys())
  for (const { path, message } of Value.Errors(OptionsSchema, rest)) {
    const name = path.slice(1).replaceAll('/', '.')
    if (seen.has(name)) continue
    seen.add(name)
    if (name === 'interface.defaultTheme') problems.push('interface.defaultTheme must be "system", "light" or "dark"')
    else if (name === 'interface.language') problems.push('interface.language must be "auto", "en" or "de"')
    else if (name === 'access') problems.push('access must be "host" or "local"')
    else problems.push(message === 'Unexpected property' ? `${name} is not an option` : `${name}: ${lowerFirst(message)}`)
  }
  if (typeof rest.interfaceFolder === 'string' && !isInterface(rest.interfaceFolder))
    problems.push('interfaceFolder has no index.html and assets: it must be the ui-dist of this package, or a copy of it')
  const signIn = typeof rest.signInUrl === 'string' && rest.signInUrl !== '' ? problemOfSignInUrl(rest.signInUrl) : null
  if (signIn !== null) problems.push(signIn)
  problems.push(...interfaceProblems(rest.interface ?? {}, rest.environment !== undefined))
  const framing = isTexts(rest.frameAncestors) ? problemOfFrameAncestors(rest.frameAncestors) : null
  if (framing !== null) problems.push(framing)
  const notWrites = isTexts(rest.requireReason) ? rest.requireReason.filter(action => !isAction(action) || !isWrite(action)) : []
  problems.push(...notWrites.map(action => `requireReason: ${JSON.stringify(action)} is not an action that changes something`))
  if (rest.access === 'host' && rest.auth)
    problems.push('access: "host" cannot be combined with auth: either the host guards the routes or the dashboard does')
  if (rest.access === 'host' && rest.authorize)
    problems.push('access: "host" cannot be combined with authorize: either the host guards the routes or the dashboard does')
  return problems
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(item => typeof item === 'string')
}

function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1)
}

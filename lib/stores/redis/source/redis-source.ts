import type { RedisOptions } from 'ioredis'
import { createTaskDashboardError } from '../../../errors.ts'
import { isUnset, unsetProblems } from '../../../input/unset-problems.ts'
import { isObject } from '../../../json/is-object.ts'
import { identityOf } from '../../source/identity-of.ts'
import { isPem } from '../../source/read-pem.ts'
import type { StoreOptions } from '../../store.ts'
import { TLS_OPTIONS, type RedisConnection, type RedisFactory, type RedisTls } from './redis-connection.ts'
import { parseRedisUrl, type RedisUrl } from './redis-url.ts'

export type { RedisConnection }

/** A validated Redis connection: a server, group of sentinels or cluster. */
export interface RedisSource {
  readonly kind: 'redis'
  readonly scheme: string
  /** Without credentials, for messages and logs. */
  readonly label: string
  /** Equal for two sources that open the same store. Reveals no credentials. */
  readonly identity: string
  /** Address and credentials, for ioredis. */
  readonly options: RedisOptions
  /** Creates the clients, if the user provides a function. */
  readonly create: RedisFactory | null
}

/** @throws INVALID_OPTIONS */
export function parseRedisSource(connection: RedisConnection, scheme: string, role: StoreOptions['role']): RedisSource {
  const problems = connectionProblems(connection)
  if (problems.length > 0) throw createTaskDashboardError('INVALID_OPTIONS', [problems.map(problem => `${role}: ${problem}`).join('; ')])
  const { url, redis, ...fields } = connection
  const create = typeof redis === 'function' ? redis : null
  const given = typeof redis === 'object' ? redis : {}
  const said: Partial<RedisUrl> = url === undefined ? {} : parseRedisUrl(url, scheme, role)
  // An explicit server replaces the one in the given options.
  const isNamed = url !== undefined || fields.path !== undefined || fields.sentinels !== undefined
  const place = isNamed ? placeOf({ ...said, ...fields }) : {}
  const others = isNamed
    ? without(given, ['host', 'port', 'path', 'sentinels', 'name', 'tls', 'sentinelTLS', 'enableTLSForSentinelMode'])
    : given
  const { username = said.username, password = said.password, database = said.database } = fields
  if (said.tls && fields.tls === false)
    throw createTaskDashboardError('INVALID_OPTIONS', [`the URL of the ${role} encrypts and \`tls\` is false: leave one of them out`])
  const tls = isNamed
    ? withFiles(said.tls, tlsOf(fields.tls ?? said.tls ?? false))
    : fields.tls === undefined ? given.tls : tlsOf(fields.tls)
  const options: RedisOptions = {
    ...others, ...place,
    ...(username !== undefined && { username }), ...(password !== undefined && { password }),
    ...(database !== undefined && { db: database }), ...(said.family !== undefined && { family: said.family }),
    ...(tls !== undefined && { tls })
  }
  if (options.sentinels) {
    const { sentinelUsername = said.sentinelUsername, sentinelPassword = said.sentinelPassword, sentinelTls } = fields
    const toSentinels = sentinelTls === undefined ? options.sentinelTLS ?? tls : tlsOf(sentinelTls)
    Object.assign(options, {
      ...(sentinelUsername !== undefined && { sentinelUsername }), ...(sentinelPassword !== undefined && { sentinelPassword }),
      ...(toSentinels !== undefined && { sentinelTLS: toSentinels }), enableTLSForSentinelMode: tls !== undefined
    })
    if (!options.name) {
      throw createTaskDashboardError('INVALID_OPTIONS', [`the ${role} needs the sentinels' name for the primary: ` +
        'redis-sentinel://host:26379/mymaster, or `name`'])
    }
  } else if (fields.name !== undefined || fields.sentinelUsername !== undefined || fields.sentinelPassword !== undefined ||
    fields.sentinelTls !== undefined) {
    throw createTaskDashboardError(
      'INVALID_OPTIONS',
      [`the ${role} has sentinel options but no sentinels: set \`sentinels\`, or use a URL that begins with redis-sentinel:`]
    )
  }
  const label = create !== null && url === undefined ? 'redis: (by the function `redis`)' : labelOf(scheme, options)
  return {
    kind: 'redis', scheme, label, identity: `redis ${identityOf({ ...options, db: options.db ?? 0, ...(create && { create }) })}`, options,
    create
  }
}

function placeOf({ host, port, path, sentinels, name }: Pick<RedisUrl, 'host' | 'port' | 'path' | 'sentinels' | 'name'>): RedisOptions {
  if (sentinels !== undefined)
    return { sentinels: sentinels.map(({ host, port = 26_379 }) => ({ host, port })), ...(name !== undefined && { name }) }
  if (path !== undefined) return { path }
  return { host: host ?? 'localhost', port: port ?? 6_379 }
}

function tlsOf(tls: boolean | RedisTls): RedisTls | undefined {
  return tls === false ? undefined : tls === true ? {} : { ...tls }
}

/** Adds certificates that the URL names to the `tls` options. */
function withFiles(files: RedisUrl['tls'] | undefined, tls: RedisTls | undefined): RedisTls | undefined {
  return tls && { ...files, ...tls }
}

/** Uses the URL's scheme, or an equivalent one if there is no URL. */
function labelOf(scheme: string, { sentinels, name, path, host, port, db }: RedisOptions): string {
  const database = db === undefined || db === 0 ? '' : `/${db}`
  if (sentinels)
    return `${scheme.startsWith('rediss')
      ? 'rediss'
      : 'redis'}-sentinel://${sentinels.map(each => `${each.host}:${each.port}`).join(',')}/${name}${database}`
  if (path) return `unix:${path}${database.replace('/', '?db=')}`
  const shown = host?.includes(':') ? `[${host}]` : host
  return `${scheme}//${shown ?? 'localhost'}${port === undefined || port === 6_379 ? '' : `:${port}`}${database}`
}

function without(options: RedisOptions, names: ReadonlyArray<keyof RedisOptions>): RedisOptions {
  return Object.fromEntries(Object.entries(options).filter(([name]) => !names.includes(name as keyof RedisOptions)))
}

const FIELDS = {
  url: 'string', username: 'string', password: 'string', database: 'number', tls: 'tls', path: 'string', sentinels: 'sentinels',
  name: 'string',
  sentinelUsername: 'string', sentinelPassword: 'string', sentinelTls: 'tls', redis: 'redis'
} as const satisfies Record<keyof RedisConnection, string>

const UNSET = { url: null, database: null, tls: null, path: null, sentinels: null, name: null, sentinelTls: null, redis: null } as const

function connectionProblems(connection: RedisConnection): string[] {
  const unset = unsetProblems(connection, UNSET)
  return [...unset.values(), ...Object.entries(connection).flatMap(([field, value]: [string, unknown]) => {
    if (!Object.hasOwn(FIELDS, field))
      return [`${field} is not an option of a Redis connection: known are ${Object.keys(FIELDS).join(', ')}`]
    if (value === undefined || unset.has(field)) return []
    switch (FIELDS[field as keyof RedisConnection]) {
      case 'string': return typeof value === 'string' ? [] : [`${field} must be a string`]
      case 'number':
        return Number.isInteger(value) && (value as number) >= 0 && (value as number) < 1e9
          ? []
          : [`${field} must be the number of a database`]
      case 'sentinels': return isSentinels(value) ? [] : ['sentinels must be a list of { host, port }']
      case 'tls': return tlsProblems(value, field)
      case 'redis': return typeof value === 'function' ? [] : ioredisProblems(value)
    }
  })]
}

function isSentinels(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((
    each: { host?: unknown, port?: unknown } | null
  ) => typeof each?.host === 'string' && each.host !== '' &&
    (each.port === undefined || Number.isInteger(each.port) && (each.port as number) > 0 && (each.port as number) < 65_536))
}

function tlsProblems(tls: unknown, field: string): string[] {
  if (typeof tls === 'boolean') return []
  if (!isObject(tls)) return [`${field} must be true, false or an object`]
  return Object.entries(tls).flatMap(([option, value]: [string, unknown]) => {
    if (!(TLS_OPTIONS as readonly string[]).includes(option))
      return [`${field}.${option} is not an option: known are ${TLS_OPTIONS.join(', ')}`]
    if (isUnset(value)) return [...unsetProblems({ [option]: value }, { [option]: null }, `${field}.`).values()]
    const texts = [value].flat().filter(each => typeof each === 'string' || Buffer.isBuffer(each))
    const areTexts = ['ca', 'cert', 'key'].includes(option) && texts.length === [value].flat().length
    return areTexts && !texts.every(isPem) ? [`${field}.${option} must be the PEM text itself: read the file, fs.readFileSync(path)`] : []
  })
}

/** ioredis options that would change the meaning of what we send. */
const UNSUPPORTED = {
  keyPrefix: 'use the option `namespace` to keep queue apps apart', role: 'executions can only be written on the primary',
  readOnly: 'executions are written',
  replyMapping: 'answers are read in their legacy form', stringNumbers: 'answers are read as numbers',
  enableAutoPipelining: 'commands are sent in their own order',
  monitor: 'such a connection accepts no commands'
} as const satisfies { readonly [Name in keyof RedisOptions]?: string }
const HARMLESS: readonly unknown[] = [undefined, null, '', false, 'master', 'legacy']

function ioredisProblems(options: unknown): string[] {
  const isOptions = isObject(options) && !('status' in options)
  return isOptions
    ? unsupportedProblems(options)
    : ['redis must be ioredis options (`existing.options` of a client), or a function that creates clients']
}

/** For options that ioredis has now or may get. */
export function unsupportedProblems(options: object): string[] {
  return Object.entries(UNSUPPORTED).flatMap(([name, reason]) =>
    HARMLESS.includes((options as Record<string, unknown>)[name]) ? [] : [`redis.${name} is not supported: ${reason}`])
}

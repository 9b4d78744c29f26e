import type { Doctor, Finding } from '../../../schemas/doctor.ts'
import type { Problem } from '../../../schemas/problem.ts'

/** A finding of the API, or of a check from outside. */
export type OutsideFinding = Omit<Finding, 'check'> & { readonly check: string }

export interface Credentials { readonly username: string; readonly password: string }

const TIMEOUT_MS = 10_000
/** Smaller differences between clocks are fine. */
const SKEW_MS = 5_000
/** Minimum time between the first and the last event: half the time in which they are sent. */
const STREAM_SPREAD_MS = 400
const AUTH = 'auth: { username: process.env.DASHBOARD_USER, password: process.env.DASHBOARD_PASSWORD }'
/** The option `frameAncestors` changes the end of the policy. A second policy would follow a comma. */
const OWN_POLICY_PATTERN = /^default-src 'none';[^,]*frame-ancestors [^;,]+$/
const SIGNS = { ok: '✓', warning: '!', error: '✗' } as const

interface DoctorOptions {
  readonly credentials: Credentials | null
  /** JSON instead of a line for each finding. */
  readonly isJson: boolean
}

/** Prints the findings. Resolves to the exit code: 1 if one of them is an error. */
export async function runDoctor(
  address: URL, { credentials, isJson }: DoctorOptions, output: { say(line: string): unknown }
): Promise<number> {
  const findings = await examine(address, credentials)
  for (const line of isJson ? JSON.stringify(findings, null, 2).split('\n') : findings.flatMap(linesOf)) output.say(line)
  return findings.some(({ level }) => level === 'error') ? 1 : 0
}

function linesOf({ check, level, message, fix }: OutsideFinding): string[] {
  return [`${SIGNS[level]} ${check}: ${message}`, ...fix === null ? [] : [`    ${fix}`]]
}

/** Checks a mounted dashboard from outside, and asks it for its own findings. Never rejects. */
export async function examine(address: URL, credentials: Credentials | null): Promise<OutsideFinding[]> {
  const mount = new URL(address)
  mount.search = mount.hash = mount.username = mount.password = ''
  mount.pathname = mount.pathname.replace(/(?<!\/)\/+$/, '')
  const base = mount.href.replace(/\/$/, '')
  const own = credentials ??
    (address.username ? { username: decodeURIComponent(address.username), password: decodeURIComponent(address.password) } : null)
  const ask = (path: string): Promise<Response> => fetch(new URL(path, base), {
    headers: own ? { authorization: `Basic ${Buffer.from(`${own.username}:${own.password}`).toString('base64')}` } : {},
    signal: AbortSignal.timeout(TIMEOUT_MS)
  })
  try {
    const askedAt = Date.now()
    const answer = await ask(`${base}/api/doctor`)
    const refusal = await refusalOf(answer, mount)
    if (refusal) return [refusal]
    const doctor: unknown = await answer.json()
    if (!isDoctor(doctor))
      return [
        error(
          'prefix', 'There is no dashboard at this address: the response is JSON, but not from a dashboard', `prefix: '${mount.pathname}'`
        )
      ]
    return [
      ...doctor.findings,
      hostFinding(doctor, mount),
      clockFinding(doctor, askedAt, Date.now()),
      await nameFinding(ask, base),
      await streamFinding(ask, base),
      ...await pageFindings(ask, base)
    ]
  } catch (cause) {
    return [error('reach', `${base} does not answer: ${reasonOf(cause)}`, 'await fastify.listen({ port: 3000 })')]
  }
}

/** The response may come from any server, so nothing about it is certain. */
function isDoctor(answer: unknown): answer is Doctor {
  const { findings, request, timestamp } = (answer ?? {}) as Partial<Record<keyof Doctor, unknown>>
  return Array.isArray(findings) && findings.every(isFinding) && typeof request === 'object' && request !== null &&
    typeof timestamp === 'string'
}

function isFinding(value: unknown): boolean {
  const { check, level, message, fix } = (value ?? {}) as Partial<Record<keyof Finding, unknown>>
  return typeof check === 'string' && (level === 'ok' || level === 'warning' || level === 'error') && typeof message === 'string' &&
    (fix === null || typeof fix === 'string')
}

async function refusalOf(answer: Response, mount: URL): Promise<OutsideFinding | null> {
  if (answer.ok && isJson(answer)) return null
  const problem = isJson(answer) ? await answer.json() as Partial<Problem> : {}
  if (answer.status === 401)
    return error('access', 'The dashboard requires a user name and a password', `npx fastify-task-dashboard doctor ${mount.href} --user ` +
      '… --password …')
  if (problem.code === 'NOT_LOCAL') return error('access', 'The dashboard answers only requests from its own machine until access is ' +
    'configured', AUTH)
  if (problem.code === 'ACCESS_NOT_CONFIGURED')
    return error('access', 'The dashboard refuses every request until access is configured, because NODE_ENV is production', AUTH)
  if (answer.status === 403)
    return error('access', problem.detail ?? 'The dashboard refuses access', 'authorize: (request, action) => action === \'doctor:view\' ' +
      '|| …')
  if (answer.status >= 500) return error('reach', `The response is ${answer.status}`, 'await queueApp.start()')
  return error('prefix', `There is no dashboard at this address: the response is ${answer.status}`, `prefix: '${mount.pathname}'`)
}

function hostFinding({ request }: Doctor, mount: URL): OutsideFinding {
  if (request.host === mount.host) return ok('host', `Host arrives as ${mount.host}`)
  return error(
    'host', `Host arrives as ${String(request.host)}, so writes from browsers may be refused as cross-site`,
    'proxy_set_header Host $http_host;'
  )
}

function clockFinding({ timestamp }: Doctor, askedAt: number, answeredAt: number): OutsideFinding {
  const at = Date.parse(timestamp)
  const skewMs = Math.max(askedAt - at, at - answeredAt, 0)
  if (skewMs <= SKEW_MS) return ok('clock', 'The clocks of server and client agree')
  return warning(
    'clock', `The clocks of server and client are ${Math.round(skewMs / 1000)} s apart, so times and schedules look wrong`,
    'timedatectl set-ntp true'
  )
}

/** Checks that a slash in a name arrives encoded. */
async function nameFinding(ask: (path: string) => Promise<Response>, base: string): Promise<OutsideFinding> {
  const answer = await ask(`${base}/api/tasks/${encodeURIComponent('a/b')}`)
  const { code } = answer.ok ? {} : await answer.json().catch(() => ({})) as Partial<Problem>
  if (answer.ok || code !== 'NOT_FOUND') return ok('names', 'Names with a slash arrive')
  return error('names', 'The proxy decodes %2F, so names with a slash are not found', 'proxy_pass ' +
    'http://127.0.0.1:3000;  # nothing after the port')
}

/** The server sends five events within 800 ms. A buffering proxy delivers all of them with the last one. */
async function streamFinding(ask: (path: string) => Promise<Response>, base: string): Promise<OutsideFinding> {
  const answer = await ask(`${base}/api/doctor/stream`)
  if (!answer.ok || !answer.body)
    return warning(
      'stream', `Streams could not be checked: the response is ${answer.status}`, `npx fastify-task-dashboard doctor ${base}  # again`
    )
  let firstAt: number | undefined
  let text = ''
  const decoder = new TextDecoder()
  for await (const piece of answer.body) {
    firstAt ??= performance.now()
    text += decoder.decode(piece as Uint8Array, { stream: true })
  }
  const isWhole = /data: 5\n\n$/.test(text)
  if (isWhole && performance.now() - firstAt! >= STREAM_SPREAD_MS) return ok('stream', 'Events arrive as they are sent')
  return error(
    'stream', isWhole ? 'The proxy buffers events, so pages are out of date' : 'The proxy cuts streams off',
    'proxy_buffering off;'
  )
}

async function pageFindings(ask: (path: string) => Promise<Response>, base: string): Promise<OutsideFinding[]> {
  const findings: OutsideFinding[] = []
  for (const path of ['', '/schedules']) {
    const page = await ask(base + path)
    const html = await page.text()
    const href = /<base href="([^"]*)">/.exec(html)?.[1]
    const script = /src="(\.\/assets\/[^"]+\.js)"/.exec(html)?.[1]
    // Browsers resolve it against the address after redirects.
    const found = href === undefined ? null : new URL(href, page.url)
    if (found?.href !== `${base}/`) {
      findings.push(error(
        'prefix', `The page at ${base}${path} assumes the mount ${found?.href ?? '(none)'}`, `publicPath: '${new URL(base).pathname}'`
      ))
    } else if (script === undefined || !(await ask(new URL(script, found).href)).ok) {
      findings.push(error(
        'prefix', `The files of the page at ${base}${path} are not found`,
        `location ${new URL(base).pathname} { … }  # all below it, without a rule for assets`
      ))
    }
    if (path === '') findings.push(policyFinding(page.headers.get('content-security-policy')))
  }
  return findings.some(({ check }) => check === 'prefix')
    ? findings
    : [ok('prefix', `Pages and their files are found below ${base}`), ...findings]
}

function policyFinding(policy: string | null): OutsideFinding {
  if (policy === null)
    return error('csp', 'The content security policy does not arrive', '# remove: proxy_hide_header Content-Security-Policy;')
  if (!OWN_POLICY_PATTERN.test(policy))
    return warning(
      'csp', 'A proxy adds its own content security policy, and the stricter one wins', '# remove: add_header Content-Security-Policy …;'
    )
  return ok('csp', 'The content security policy arrives as it was sent')
}

function isJson(answer: Response): boolean {
  return /^application\/(?:problem\+)?json/.test(answer.headers.get('content-type') ?? '')
}

function reasonOf(cause: unknown): string {
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause
  return inner instanceof Error ? inner.message || inner.name : String(inner)
}

const ok = (check: string, message: string): OutsideFinding => ({ check, level: 'ok', message, fix: null })
const warning = (check: string, message: string, fix: string): OutsideFinding => ({ check, level: 'warning', message, fix })
const error = (check: string, message: string, fix: string): OutsideFinding => ({ check, level: 'error', message, fix })

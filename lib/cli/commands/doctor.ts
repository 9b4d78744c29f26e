import type { Doctor, Finding } from '../../../schemas/doctor.ts'
import type { Problem } from '../../../schemas/problem.ts'

/** As the API's, with what can only be seen from outside. */
export type OutsideFinding = Omit<Finding, 'check'> & { readonly check: string }

export interface Credentials { readonly username: string; readonly password: string }

const TIMEOUT_MS = 10_000
/** Clocks this close need nothing. */
const SKEW_MS = 5_000
/** Between the first event and the last: half of what they are sent in. */
const STREAM_SPREAD_MS = 400
const AUTH = 'auth: { username: process.env.DASHBOARD_USER, password: process.env.DASHBOARD_PASSWORD }'
const OWN_POLICY = /^default-src 'none';[^,]*frame-ancestors 'none'$/

/** Asks a mounted dashboard from outside, and itself. Never rejects. */
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
        error('prefix', 'There is no dashboard at this address: the answer is JSON, but not of a dashboard', `prefix: '${mount.pathname}'`)
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

/** Anybody may answer there. */
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
    return error('access', 'It wants a user name and a password', `npx fastify-task-dashboard doctor ${mount.href} --user … --password …`)
  if (problem.code === 'NOT_LOCAL') return error('access', 'It answers only requests from its own machine until access is configured', AUTH)
  if (problem.code === 'ACCESS_NOT_CONFIGURED')
    return error('access', 'It answers nobody until access is configured, because NODE_ENV is production', AUTH)
  if (answer.status === 403)
    return error('access', problem.detail ?? 'It refuses', 'authorize: (request, action) => action === \'doctor:view\' || …')
  if (answer.status >= 500) return error('reach', `The answer is ${answer.status}`, 'await queueApp.start()')
  return error('prefix', `There is no dashboard at this address: the answer is ${answer.status}`, `prefix: '${mount.pathname}'`)
}

function hostFinding({ request }: Doctor, mount: URL): OutsideFinding {
  if (request.host === mount.host) return ok('host', `Host arrives as ${mount.host}`)
  return error(
    'host', `Host arrives as ${String(request.host)}, so writes of browsers may be refused as those of another site`,
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

/** A name with a slash must arrive with it. */
async function nameFinding(ask: (path: string) => Promise<Response>, base: string): Promise<OutsideFinding> {
  const answer = await ask(`${base}/api/tasks/${encodeURIComponent('a/b')}`)
  const { code } = answer.ok ? {} : await answer.json().catch(() => ({})) as Partial<Problem>
  if (answer.ok || code !== 'NOT_FOUND') return ok('names', 'Names with a slash arrive')
  return error('names', 'The proxy decodes %2F, so names with a slash are not found', 'proxy_pass ' +
    'http://127.0.0.1:3000;  # nothing after the port')
}

/** Five events within 800 ms are sent. Held back, all of them arrive when the last one was sent. */
async function streamFinding(ask: (path: string) => Promise<Response>, base: string): Promise<OutsideFinding> {
  const answer = await ask(`${base}/api/doctor/stream`)
  if (!answer.ok || !answer.body)
    return warning(
      'stream', `Streams cannot be tried: the answer is ${answer.status}`, `npx fastify-task-dashboard doctor ${base}  # again`
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
    'stream', isWhole ? 'The proxy holds events back until there are many, so pages are not up to date' : 'The proxy cuts streams off',
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
    // After redirects, as browsers resolve it.
    const found = href === undefined ? null : new URL(href, page.url)
    if (found?.href !== `${base}/`) {
      findings.push(error(
        'prefix', `The page at ${base}${path} takes ${found?.href ?? 'nothing'} for its mount`, `publicPath: '${new URL(base).pathname}'`
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
  if (!OWN_POLICY.test(policy))
    return warning(
      'csp', 'Somebody adds a content security policy to ours, and the stricter one wins', '# remove: add_header Content-Security-Policy …;'
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

import { pino } from 'pino'
import type { Test } from 'tap'
import { createTaskDashboardError } from '../../lib/errors.ts'
import { sampleMonitoring } from '../dashboard/sample-monitoring.ts'
import type { Mount } from './host.ts'

type Ask = (method: string, path: string) => Promise<{ status: number; headers: Headers; text: string }>

const SECRET = 'the text of the host'
const ADDRESSES = [['GET', 'api/stats'], ['PUT', 'api/schedules/s-1/disable'], ['GET', 'schedules'], ['GET', 'assets/none.js']] as const

/** A dashboard whose `authorize` does what the test says. */
export function createDecidedMount(prefix: string) {
  const monitoring = sampleMonitoring()
  let decide: () => unknown = () => true
  let writes = 0
  const { setScheduleEnabled } = monitoring
  monitoring.setScheduleEnabled = (...input) => { writes++; return setScheduleEnabled(...input) }
  return {
    mount: { prefix, queueApp: { monitoring }, options: { authorize: () => decide() as boolean, logger: pino({ level: 'silent' }) } } satisfies Mount,
    set: (next: () => unknown) => { decide = next },
    writes: () => writes
  }
}

/** Nothing but `true` opens: not for reads, writes, pages or assets, and whatever the host's callback does instead of deciding. */
export async function onlyTrueOpens(t: Test, ask: Ask, { mount, set, writes }: ReturnType<typeof createDecidedMount>): Promise<void> {
  const all = () => Promise.all(ADDRESSES.map(async ([method, path]) => ({ title: `${method} ${path}`, ...await ask(method, `${mount.prefix}/${path}`) })))
  for (const opens of [() => true, async () => true]) {
    set(opens)
    t.same((await all()).map(({ status }) => status), [200, 200, 200, 404])
  }
  const opened = writes()
  for (const [decision, decide] of [...decisions()]) {
    set(decide)
    for (const { title, status, headers, text } of await all()) {
      const problem = JSON.parse(text) as { status: number; code: string }
      t.ok(status === 403 || status === 500 || status === 418, `${decision}: ${title} is ${status}`)
      t.match(problem, { status, code: status === 403 ? 'FORBIDDEN' : status === 500 ? 'AUTHORIZE_FAILED' : 'HTTP_418' }, `${decision}: ${title}`)
      t.match(headers.get('content-type'), /^application\/problem\+json/)
      t.notMatch(text, SECRET, `${decision}: ${title}`)
    }
  }
  t.equal(writes(), opened, 'nothing was written')
  set(() => true)
}

function* decisions(): Iterable<[string, () => unknown]> {
  for (const [name, value] of Object.entries(values())) {
    // `true` is refused only when it is thrown.
    if (value !== true) {
      yield [`returns ${name}`, () => value]
      yield [`resolves to ${name}`, async () => value]
    }
    yield [`throws ${name}`, () => { throw value }]
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors
    yield [`rejects with ${name}`, () => Promise.reject(value)]
  }
  yield ['returns a promise of a promise of text', async () => Promise.resolve('true')]
  yield ['returns a thenable that fails', () => ({ then(_resolve: unknown, reject: (reason: unknown) => void) { reject(undefined) } })]
  yield ['returns a thenable that throws', () => ({ then() { throw new Error(SECRET) } })]
  yield ['never settles', () => new Promise(() => {})]
  yield ['never calls back', () => ({ then() {} })]
}

function values(): Record<string, unknown> {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  const trap = (): never => { throw new Error(SECRET) }
  return {
    undefined, null: null, false: false, true: true, zero: 0, one: 1, NaN, bigint: 1n, 'empty text': '', 'true as text': 'true', text: SECRET, symbol: Symbol(SECRET),
    'an object': {}, 'an array': [true], 'a wrapped true': Object(true), 'a function': () => true, 'a revoked proxy': proxy,
    'an error': new Error(SECRET), 'a frozen error': Object.freeze(new Error(SECRET)), 'an error of ours': createTaskDashboardError('INVALID_OPTIONS', [SECRET], { errors: [{ pointer: SECRET, message: SECRET }] }),
    'an error with a status': Object.assign(new Error(SECRET), { statusCode: 418 }),
    ...Object.fromEntries([200, 302, 99, 1e9, -1, NaN, 418.5, '418', null].map((statusCode) => [`an error with the status ${String(statusCode)}`, Object.assign(new Error(SECRET), { statusCode })])),
    'an error like one of validation': Object.assign(new Error(SECRET), { code: 'FST_ERR_VALIDATION', validation: [{ message: SECRET, instancePath: SECRET, keyword: 'x', params: {} }] }),
    // The stack first: to replace it, V8 writes it, and looks at the message.
    'an error with a closed look': Object.defineProperties(new Error(SECRET), Object.fromEntries(['stack', 'message', 'name', 'code', 'statusCode', 'cause', 'validation'].map((name) => [name, { get: trap }]))),
    'an object that nobody may look at': new Proxy({}, { get: trap, has: trap, getPrototypeOf: trap, ownKeys: trap })
  }
}

/**
 * Paths that somebody could take for the mount, and that are not spelt like it. A guard of the host that looks for the mount in the address, as it
 * was sent, does not see them; so the dashboard must not answer there.
 */
export function misspellingsOf(mount: string): string[] {
  const name = mount.slice(1)
  const encoded = [...name].flatMap((_, at) => ['lower', 'upper'].map((form) => {
    const code = name.charCodeAt(at).toString(16)
    return `/${name.slice(0, at)}%${form === 'upper' ? code.toUpperCase() : code}${name.slice(at + 1)}`
  }))
  const letters = [...name].flatMap((letter, at) => letter === letter.toUpperCase() ? [] : [`/${name.slice(0, at)}${letter.toUpperCase()}${name.slice(at + 1)}`])
  return [...new Set([
    ...encoded, ...letters, `/${name.toUpperCase()}`, `/${mount}`, `/.${mount}`, `/x/..${mount}`, `/%2e${mount}`, `/x/%2e%2e${mount}`, `${mount};x`, `${mount};x=1`, `${mount}.`, `${mount}.x`, `${mount}%20`,
    `${mount}%00`, `${mount}%2f`, `${mount}%3f`, `/%2f${name}`, `\\${name}`, `/${name}\\`, `http://127.0.0.1${mount}`, `http://elsewhere.example${mount}`, `/${encodeURIComponent(mount)}`
  ])]
}

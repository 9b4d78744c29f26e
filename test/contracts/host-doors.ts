import type { FastifyRequest } from 'fastify'
import { pino } from 'pino'
import type { Test } from 'tap'
import { createTaskDashboardError } from '../../lib/errors.ts'
import { hostRequestOf } from '../../lib/index.ts'
import { sampleQueueApp } from '../dashboard/sample-queue-app.ts'
import type { Mount } from './host.ts'
import { seededRandom } from '../support/seeded-random.ts'

type Ask = (method: string, path: string, headers: Record<string, string>) => Promise<{ status: number; headers: Headers; text: string }>

const SECRET = 'the text of the host'
const ADDRESSES = [['GET', 'api/stats'], ['PUT', 'api/schedules/s-1/disable'], ['GET', 'schedules'], ['GET', 'assets/none.js']] as const

/** A dashboard whose `authorize` does what a header of the request names, so that many decisions can be pending at once. */
export function createDecidedMount(prefix: string) {
  const queueApp = sampleQueueApp()
  const byName = new Map([...OPENING, ...decisions()])
  // A missing name would grant access, and the test would notice.
  const decide = ({ headers }: FastifyRequest): unknown => (byName.get(String(headers['x-test-decision'])) ?? (() => true))()
  let writes = 0
  const { operations } = queueApp
  const { setScheduleEnabled } = operations
  operations.setScheduleEnabled = (...input) => { writes++; return setScheduleEnabled(...input) }
  const within = (sees: (taskName: string) => boolean) => ({
    operations,
    monitoring: { ...queueApp.monitoring, tasks: async () => (await queueApp.monitoring.tasks()).filter(({ name }) => sees(name)) }
  })
  const options = {
    authorize: request => decide(request) as boolean, scope: scopeNamed, logger: pino({ level: 'silent' })
  } satisfies Mount['options']
  return {
    mount: { prefix, queueApp: { ...queueApp, within }, options } satisfies Mount,
    writes: () => writes
  }
}

/** The scope named by a header: everything, one task, or a function that forgets to return. */
function scopeNamed({ headers: { 'x-test-scope': name } }: FastifyRequest) {
  return name === undefined ? null : name === 'one' ? (taskName: string) => taskName === 'email:send' : undefined as never
}

/** Only `true` grants access, for reads, writes, pages and assets, whatever the host's callback does instead. */
export async function onlyTrueOpens(t: Test, ask: Ask, { mount, writes }: ReturnType<typeof createDecidedMount>): Promise<void> {
  const all = (decision: string) => Promise.all(ADDRESSES.map(async ([method, path]) =>
    ({ title: `${method} ${path}`, ...await ask(method, `${mount.prefix}/${path}`, { 'x-test-decision': decision }) })))
  for (const [decision] of OPENING) t.same((await all(decision)).map(({ status }) => status), [200, 200, 200, 404], decision)
  const tasksOf = (scope: string) =>
    ask('GET', `${mount.prefix}/api/tasks`, { 'x-test-decision': OPENING[0]![0], 'x-test-scope': scope })
  const one = await tasksOf('one')
  t.strictSame((JSON.parse(one.text) as Array<{ name: string }>).map(({ name }) => name), ['email:send'], 'a scope')
  t.match(await tasksOf('forgotten'), { status: 500, text: /SCOPE_FAILED/ })
  const opened = writes()
  const check = async (decision: string) => {
    for (const { title, status, headers, text } of await all(decision)) {
      const problem = JSON.parse(text) as { status: number; code: string }
      t.ok(status === 403 || status === 500 || status === 418, `${decision}: ${title} is ${status}`)
      t.match(
        problem, { status, code: status === 403 ? 'FORBIDDEN' : status === 500 ? 'AUTHORIZE_FAILED' : 'HTTP_418' }, `${decision}: ${title}`
      )
      t.match(headers.get('content-type'), /^application\/problem\+json/)
      t.notMatch(text, SECRET, `${decision}: ${title}`)
    }
  }
  const closing = [...decisions()].map(([decision]) => decision)
  // These are refused only after seconds, so they wait while the other requests are made.
  const endless = closing.filter(decision => decision.startsWith('never')).map(check)
  for (const decision of closing.filter(each => !each.startsWith('never'))) await check(decision)
  await Promise.all(endless)
  t.equal(writes(), opened, 'nothing was written')
}

/** A dashboard for signed-in users. The tests name them in a header. */
export function createNamedMount(prefix: string) {
  const queueApp = sampleQueueApp()
  const writers: unknown[] = []
  const { operations } = queueApp
  const { setScheduleEnabled } = operations
  operations.setScheduleEnabled = (...input) => { writers.push(input[2]); return setScheduleEnabled(...input) }
  const userOf = ({ headers }: FastifyRequest): string | null =>
    (typeof headers['x-test-user'] === 'string' ? headers['x-test-user'] : null)
  const options = {
    authorize: (request, action) => userOf(request) === 'Ana' || userOf(request) !== null && action !== 'ui:view',
    identify: async request => {
      const [host, name] = [hostRequestOf<object>(request), userOf(request)]
      return name === null || host === undefined ? null : { id: 'u-17', name }
    },
    signInUrl: 'https://sign-in.example.com/?a=1&back={return}',
    logger: pino({ level: 'silent' })
  } satisfies Mount['options']
  return { mount: { prefix, queueApp, options } satisfies Mount, writers }
}

/** `identify` and `signInUrl`. */
export async function leadsToSignIn(
  t: Test,
  ask: (method: string, path: string, headers: Record<string, string>) => ReturnType<Ask>,
  { mount: { prefix }, writers }: ReturnType<typeof createNamedMount>
): Promise<void> {
  const ana = { 'x-test-user': 'Ana' }
  t.match(JSON.parse(
    (await ask('GET', `${prefix}/api/session`, ana)).text
  ), { user: 'Ana', sign_in_url: 'https://sign-in.example.com/?a=1&back={return}' })
  t.equal((await ask('PUT', `${prefix}/api/schedules/s-1/disable`, ana)).status, 200)
  t.same(writers, ['Ana (u-17)'])

  const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
  const page = await ask('GET', `${prefix}/schedules?search="><b>&x=1`, browser)
  t.match([page.status, page.headers.get('content-type'), page.headers.get('cache-control')], [401, /^text\/html/, 'no-store'])
  t.match(page.text, 'Sign in to see this dashboard')
  t.match(page.text, `href="https://sign-in.example.com/?a=1&amp;back=${encodeURIComponent(`${prefix}/schedules?search=`)}`)
  t.notMatch(page.text, '<b>')
  for (const [path, headers] of [['schedules', {}], ['api/stats', browser], ['assets/none.js', browser]] as const) {
    const { status, headers: given, text } = await ask('GET', `${prefix}/${path}`, headers)
    t.match([status, given.get('content-type'), JSON.parse(text)], [401, /^application\/problem\+json/, { code: 'SIGNED_OUT' }], path)
  }
  const other = await ask('GET', `${prefix}/schedules`, { ...browser, 'x-test-user': 'Bob' })
  t.match([other.status, other.text], [403, 'You may not see this page'])
}

const OPENING: ReadonlyArray<[string, () => unknown]> = [['returns true', () => true], ['resolves to true', async () => true]]

function* decisions(): Iterable<[string, () => unknown]> {
  for (const [name, value] of Object.entries(values())) {
    // `true` is only hostile when it is thrown.
    if (value !== true) {
      yield [`returns ${name}`, () => value]
      yield [`resolves to ${name}`, async () => value]
    }
    yield [`throws ${name}`, () => { throw value }]
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors
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
    undefined, null: null, false: false, true: true, zero: 0, one: 1, NaN, bigint: 1n, 'empty text': '', 'true as text': 'true',
    text: SECRET, symbol: Symbol(SECRET),
    'an object': {}, 'an array': [true], 'a wrapped true': Object(true), 'a function': () => true, 'a revoked proxy': proxy,
    'an error': new Error(SECRET), 'a frozen error': Object.freeze(new Error(SECRET)),
    'an error of ours': createTaskDashboardError('INVALID_OPTIONS', [SECRET], { errors: [{ pointer: SECRET, message: SECRET }] }),
    'an error with a status': Object.assign(new Error(SECRET), { statusCode: 418 }),
    ...Object.fromEntries([200, 302, 99, 1e9, -1, NaN, 418.5, '418', null].map(statusCode =>
      [`an error with the status ${String(statusCode)}`, Object.assign(new Error(SECRET), { statusCode })])),
    'an error like one of validation': Object.assign(new Error(SECRET), {
      code: 'FST_ERR_VALIDATION', validation: [{ message: SECRET, instancePath: SECRET, keyword: 'x', params: {} }]
    }),
    // `stack` comes first: replacing it makes V8 write it, which reads the message.
    'an error with a closed look': Object.defineProperties(
      new Error(SECRET),
      Object.fromEntries(['stack', 'message', 'name', 'code', 'statusCode', 'cause', 'validation'].map(name => [name, { get: trap }]))
    ),
    'an object that no one may look at': new Proxy({}, { get: trap, has: trap, getPrototypeOf: trap, ownKeys: trap })
  }
}

/**
 * Paths that resemble the mount but are spelt differently. A guard of the host that looks for the mount in the raw address does not see
 * them, so the dashboard must not answer there.
 */
export function misspellingsOf(mount: string): string[] {
  const name = mount.slice(1)
  const encoded = [...name].flatMap((_, at) => ['lower', 'upper'].map(form => {
    const code = name.charCodeAt(at).toString(16)
    return `/${name.slice(0, at)}%${form === 'upper' ? code.toUpperCase() : code}${name.slice(at + 1)}`
  }))
  const letters = [...name].flatMap((letter, at) =>
    letter === letter.toUpperCase() ? [] : [`/${name.slice(0, at)}${letter.toUpperCase()}${name.slice(at + 1)}`])
  return [...new Set([
    ...encoded, ...letters, `/${name.toUpperCase()}`, `/${mount}`, `/.${mount}`, `/x/..${mount}`, `/%2e${mount}`, `/x/%2e%2e${mount}`,
    `${mount};x`, `${mount};x=1`, `${mount}.`, `${mount}.x`, `${mount}%20`,
    `${mount}%00`, `${mount}%2f`, `${mount}%3f`, `/%2f${name}`, `\\${name}`, `/${name}\\`, `http://127.0.0.1${mount}`,
    `http://elsewhere.example${mount}`, `/${encodeURIComponent(mount)}`
  ])]
}

const WRAPPED = [
  '%2e', '%2E%2e', '.', '..', 'x/..', 'x/%2e%2e', '%2f', '%5c', '\\', '', ';', ';x=/', '%00', '%09', '%20', '~', 'X'
] as const
const BELOW = ['/api/stats', '/api/stats', '/api/schedules/s-1', '', '/', '/schedules'] as const

/**
 * Random addresses close to a mount: letters percent-encoded once or twice or in the other case; slashes doubled, turned or encoded; dots;
 * segment parameters; the mount in a query or fragment; targets with an authority. The first is spelt correctly, and some others are by
 * chance.
 */
export function spellingsAtRandom(mount: string, seed: number, count: number): string[] {
  const random = seededRandom(seed)
  const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)]!
  const spellLetter = (letter: string): string => {
    const code = letter.charCodeAt(0).toString(16).padStart(2, '0')
    return pick([
      letter.toUpperCase(), letter.toLowerCase(), `%${code}`, `%${code.toUpperCase()}`, `%25${code}`, `%u00${code}`, `${letter}%00`, letter
    ])
  }
  const spell = (text: string, rate: number): string => Array.from(text, character => {
    if (random() >= rate) return character
    if (character === '/')
      return pick(['//', '/./', '/x/../', '\\', '%2f', '%2F', '/%2e/', `/${pick(WRAPPED)}/`, `${pick(WRAPPED)}/`, `/${pick(WRAPPED)}`])
    return spellLetter(character)
  }).join('')
  return Array.from({ length: count }, (_, index) => {
    if (index === 0) return `${mount}/api/stats`
    // Mostly one or two slips. After many, nothing resembles the mount.
    const path = spell(mount, pick([0, 0.15, 0.15, 0.5])) +
      pick(['', '', '', ';', ';a=b', '.', '%20', '.json', '/.', '/x/..', '/../', `/..${mount}`]) + spell(pick(BELOW), pick([0, 0, 0.1]))
    return pick([
      ...Array<string>(8).fill(path), `http://127.0.0.1${path}`, `HTTP://elsewhere.example${path}`, `//127.0.0.1${path}`,
      `//elsewhere.example${path}`, `/x?${path}`, `/?next=${path}`, `/x#${path}`, `/%3f${path}`, `/x;${path}`,
      `${path}?x=/../..`, `${path}#/x`, `${path}?`, `?${path}`, path.slice(1), `\\${path.slice(1)}`
    ])
  })
}

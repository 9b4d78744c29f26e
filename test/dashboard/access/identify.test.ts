import Fastify from 'fastify'
import { pino } from 'pino'
import t, { type Test } from 'tap'
import { dashboardPlugin } from '../../../lib/dashboard/plugin.ts'
import type { DashboardOptions } from '../../../lib/dashboard/options.ts'
import { sampleQueueApp } from '../sample-queue-app.ts'

const BROWSER = { accept: 'text/html,*/*;q=0.8' }
const DISABLE = { method: 'PUT', url: '/tasks/api/schedules/s-1/disable' } as const

async function build(t: Test, options: Partial<DashboardOptions>) {
  const queueApp = sampleQueueApp()
  const { operations } = queueApp
  const writers: unknown[] = []
  const { setScheduleEnabled, updateSchedule } = operations
  operations.setScheduleEnabled = (...input) => { writers.push(input[2]); return setScheduleEnabled(...input) }
  operations.updateSchedule = (...input) => { writers.push(input[2]?.by); return updateSchedule(...input) }
  const log: string[] = []
  const app = Fastify({ loggerInstance: pino({ level: 'error' }, { write: (line: string) => { log.push(line) } }) })
  t.teardown(() => app.close())
  await app.register(dashboardPlugin, { prefix: '/tasks', queueApp, access: 'local', ...options })
  return { app, writers, log }
}

t.test('changes of a schedule are recorded under the name from identify, which the session shows', async t => {
  const cases: Array<[said: unknown, label: string | null, name: string | null]> = [
    ['Ana', 'Ana', 'Ana'], [{ id: 'u-17', name: 'Ana Silva' }, 'Ana Silva (u-17)', 'Ana Silva'], [{ id: 'u-17' }, 'u-17', 'u-17'],
    [{ id: 'ana', name: 'ana' }, 'ana', 'ana'],
    [{ id: 'u-17', name: null, role: 'admin' }, 'u-17', 'u-17'], [null, null, null], [undefined, null, null],
    ['日'.repeat(200), '日'.repeat(200), '日'.repeat(200)]
  ]
  for (const [said, label, name] of cases) {
    for (const identify of [() => said, async () => said]) {
      const { app, writers } = await build(t, { identify: identify as () => string })
      t.equal((await app.inject(DISABLE)).statusCode, 200)
      t.equal((await app.inject({ method: 'PATCH', url: '/tasks/api/schedules/s-1', payload: { description: 'Changed' } })).statusCode, 200)
      t.same(writers, [label, label])
      t.equal((await app.inject('/tasks/api/session')).json<{ user: string | null }>().user, name)
    }
  }
})

t.test('identify overrides the user of basic auth, runs once per request after the password check, and does not run for polls', async t => {
  let asked = 0
  let said: string | null = 'Ana'
  const auth = { username: 'ops', password: 'secret' }
  const { app, writers } = await build(t, { auth, identify: () => { asked++; return said } })
  t.equal((await app.inject(DISABLE)).statusCode, 401)
  t.equal(asked, 0)
  const headers = { authorization: `Basic ${btoa('ops:secret')}` }
  await app.inject({ url: '/tasks/api/stats', headers })
  t.equal(asked, 0)
  await app.inject({ ...DISABLE, headers })
  t.equal(asked, 1)
  await app.inject({ url: '/tasks/', headers })
  t.equal(asked, 2)
  said = null
  await app.inject({ ...DISABLE, headers })
  t.same(writers, ['Ana', 'ops'])
})

t.test('an identify that fails blocks writes, reveals nothing except in the log, ' +
  'and leaves reads alone', { timeout: 60_000 }, async t => {
  const failures: Array<[what: string, identify: () => unknown, said: RegExp]> = [
    ['throws', () => { throw new Error('the host\'s own words') }, /own words/],
    ['rejects with nothing', () => ({ then: (_: unknown, reject: () => void) => { reject() } }), /identify failed/],
    ['never settles', () => new Promise(() => {}), /did not answer within 5000 ms/], ['a number', () => 7, /returned a number/],
    ['true', () => true, /returned a boolean/], ['empty', () => ' ', /is empty/],
    ['no id', () => ({ name: 'Ana' }), /an id that is not a string/], ['a numeric id', () => ({ id: 7 }), /an id that is not a string/],
    ['too long', () => 'a'.repeat(201), /201 characters; the limit is 200/],
    ['a newline', () => 'Ana\nBob', /unprintable characters/],
    ['a turned name', () => ({ id: '7', name: 'a\u202eb' }), /unprintable characters/],
    ['half a character', () => '\ud800', /unprintable characters/]
  ]
  await Promise.all(failures.map(async ([what, identify, said]) => {
    const { app, writers, log } = await build(t, { identify: identify as () => string })
    const answer = await app.inject(DISABLE)
    t.match([answer.statusCode, answer.json()], [500, { code: 'IDENTIFY_FAILED' }], what)
    t.notMatch(answer.body, /own words/)
    t.match(log.join(''), said, what)
    t.same(writers, [], what)
    t.match((await app.inject('/tasks/api/session')).json(), { user: null }, what)
  }))
  const { app } = await build(t, { identify: () => { throw Object.assign(new Error('expired'), { statusCode: 401 }) } })
  t.match((await app.inject(DISABLE)).json(), { status: 401, code: 'HTTP_401' })
})

t.test('a refusal is 401 if identify says that no one is signed in, and 403 for a known ' +
  'or unknown user', async t => {
  const refuse = () => false
  const cases: Array<[identify: DashboardOptions['identify'], status: number, code: string]> = [
    [() => null, 401, 'SIGNED_OUT'], [() => 'Ana', 403, 'FORBIDDEN'], [() => { throw new Error('down') }, 403, 'FORBIDDEN'],
    [undefined, 403, 'FORBIDDEN']
  ]
  for (const [identify, status, code] of cases) {
    const { app } = await build(t, { authorize: refuse, ...(identify && { identify }) })
    t.match((await app.inject('/tasks/api/stats')).json(), { status, code })
  }
})

t.test('browsers get a readable page for a refusal, with a link', async t => {
  const refusing = (statusCode: number) => ({ authorize: () => { throw Object.assign(new Error('secret'), { statusCode }) } })
  const cases: Array<[options: Partial<DashboardOptions>, status: number, heading: string, link: string | null]> = [
    [refusing(401), 401, 'Sign in to see this dashboard', '>Reload<'],
    [
      { ...refusing(401), signInUrl: '/login?next={return}' }, 401, 'Sign in to see this dashboard',
      'href="/login?next=%2Ftasks%2Fschedules%3Fa%3D%2522"'
    ],
    [{ ...refusing(401), signInUrl: '/login' }, 401, 'Sign in to see this dashboard', 'href="/login"'],
    [{ authorize: () => false }, 403, 'You may not see this page', '>Reload<'],
    [{ auth: { username: 'ops', password: 'secret' } }, 401, 'Sign in to see this dashboard', '>Reload<'],
    [refusing(500), 500, 'This page could not be shown', '>Reload<']
  ]
  for (const [options, status, heading, link] of cases) {
    const { app } = await build(t, options)
    const answer = await app.inject({ url: '/tasks/schedules?a=%22', headers: BROWSER })
    t.match([answer.statusCode, answer.headers['content-type'], answer.headers['cache-control']], [status, /^text\/html/, 'no-store'])
    t.match(answer.body, `<h1>${heading}</h1>`)
    if (link !== null) t.match(answer.body, link)
    t.notMatch(answer.body, 'secret')
    t.match((await app.inject({ url: '/tasks/schedules', headers: { accept: '*/*' } })).headers['content-type'], /^application\/problem\+json/)
    t.match((await app.inject({ url: '/tasks/api/stats', headers: BROWSER })).headers['content-type'], /^application\/problem\+json/)
  }
  const { app } = await build(t, { access: 'local' })
  const closed = await app.inject({ url: '/tasks/', headers: { ...BROWSER, host: 'example.com' } })
  t.match([closed.statusCode, closed.body], [403, '<h1>This dashboard is closed to you</h1>'])
})

t.test('the return address is a path on this host, and nothing from the URL becomes markup', async t => {
  const { app } = await build(t, { prefix: '/', authorize: () => false, identify: () => null, signInUrl: '/login?next={return}' })
  const hrefOf = async (url: string) => /href="\/login\?next=([^"]*)"/.exec((await app.inject({ url, headers: BROWSER })).body)?.[1]
  t.equal(await hrefOf('/a/b?c=d&e'), '%2Fa%2Fb%3Fc%3Dd%26e')
  for (const url of ['//evil.example/x', '/\\evil.example', '/%2F/evil.example', '/"><script>alert(1)</script>', '/{return}']) {
    const { body } = await app.inject({ url, headers: BROWSER })
    t.notMatch(body, '<script>alert')
    const given = decodeURIComponent(/href="\/login\?next=([^"]*)"/.exec(body)?.[1] ?? '%2F')
    t.match(given, /^\/(?![/\\])/, url)
  }
  const { headers, body } = await app.inject({ url: '/', headers: BROWSER })
  t.match(
    headers['content-security-policy'],
    /^default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/
  )
  t.match(body, 'data-sign-in="/login?next={return}"')
})

t.test('signInUrl must be a path or an http(s) URL', async t => {
  for (const signInUrl of ['/login', '/login?to={return}', 'https://id.example.com/?rd={return}#{return}', 'http://localhost:8080/sign_in'])
    await build(t, { signInUrl })
  for (const signInUrl of ['', 'login', '//evil.example', '/\\evil.example', 'javascript:alert(1)', 'JavaScript:alert(1)', ' javascript:alert(1)', 'java\nscript:alert(1)', 'data:text/html,x', 'https://', 'https://a:b@c.example/',
    'https://{return}/', '/{return}', '/login?a b', `/${'a'.repeat(2000)}`]) {
    await t.rejects(build(t, { signInUrl }), { code: 'INVALID_OPTIONS', message: /signInUrl/ }, JSON.stringify(signInUrl))
  }
  await t.rejects(build(t, { identify: 'ana' as never }), { code: 'INVALID_OPTIONS', message: /identify/ })
})

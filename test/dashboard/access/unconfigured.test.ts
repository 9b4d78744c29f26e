import Fastify, { type FastifyInstance, type InjectOptions } from 'fastify'
import { pino } from 'pino'
import t from 'tap'
import { announceAccess } from '../../../lib/dashboard/access/announce-access.ts'
import { resolveOptions, type DashboardOptions } from '../../../lib/dashboard/options.ts'
import { sampleQueueApp } from '../sample-queue-app.ts'
import { setVariable } from '../../support/set-variable.ts'
import { AUTHORIZATION, build, call, CREDENTIALS, isAnswered, label, ROUTES } from './known-routes.ts'

void t.test('without access options only local requests are accepted', async t => {
  const { app } = await build(t, {})
  await t.test('every route answers a local request', async t => {
    for (const route of ROUTES) t.ok(isAnswered(await call(app, route)), label(route))
    for (const host of ['localhost', 'localhost:3000', '127.0.0.1:1', '[::1]:3000', 'LOCALHOST']) {
      t.equal((await call(app, ROUTES[0]!, { headers: { host } })).statusCode, 200, host)
    }
    for (const remoteAddress of ['127.0.0.1', '127.1.2.3', '::1', '::ffff:127.0.0.1']) {
      t.equal((await call(app, ROUTES[0]!, { remoteAddress })).statusCode, 200, remoteAddress)
    }
  })

  await t.test('every route refuses any other request, and names the three options that allow it', async t => {
    for (const route of ROUTES) {
      const answer = await call(app, route, { remoteAddress: '192.0.2.7' })
      t.equal(answer.statusCode, 403, label(route))
      t.match(answer.json(), {
        code: 'NOT_LOCAL', detail: /auth: \{ username, password \}.*authorize\(request, action, resource\).*access: "host"/
      })
    }
    const disguises: InjectOptions[] = [
      ...[
        'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-forwarded-anything', 'forwarded', 'x-real-ip', 'via',
        'true-client-ip', 'cf-connecting-ip', 'x-client-ip', 'wl-proxy-client-ip', 'tailscale-user-login', 'tailscale-funnel-request',
        'ngrok-auto-user-email', 'x-tunnel-id', 'cloudfront-viewer-country', 'x-goog-iap-jwt-assertion', 'x-auth-request-user', 'x-arr-ssl'
      ].map(name => ({ headers: { [name]: '127.0.0.1' } })),
      ...['example.org', 'localhost.example.org', '127.0.0.1.nip.io', 'localhost:80@evil', '[::2]', '0.0.0.0', 'localhost:'].map(
        host => ({ headers: { host } })
      ),
      ...['10.0.0.1', '::ffff:10.0.0.1', '1127.0.0.1'].map(remoteAddress => ({ remoteAddress }))
    ]
    for (const disguise of disguises) t.equal((await call(app, ROUTES[0]!, disguise)).statusCode, 403, JSON.stringify(disguise))
  })

  await t.test("pages of other sites get no response, whatever the host's CORS allows, but may link to our pages", async t => {
    const page = { method: 'GET', url: '/tasks/', action: 'ui:view' } as const
    const opened = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
    for (const headers of [{}, { 'sec-fetch-site': 'same-origin' }, { 'sec-fetch-site': 'none' }, { origin: 'http://localhost:80' }, {
      'sec-fetch-site': 'cross-site', ...opened
    }, { 'sec-fetch-site': 'same-site', ...opened }]) {
      t.equal((await call(app, page, { headers })).statusCode, 200, JSON.stringify(headers))
    }
    const foreign: Array<Record<string, string>> = [
      ...['cross-site', 'same-site', 'nonsense', '', 'same-origin, cross-site'].map(site => ({ 'sec-fetch-site': site })),
      ...['http://localhost:5173', 'https://evil.example', 'null', 'chrome-extension://abc', 'http://127.0.0.1', '', 'http://localhost, http://evil.example'].map(origin => ({ origin })),
      { 'sec-fetch-site': 'same-origin', origin: 'http://dev.lan' },
      { 'sec-fetch-site': 'cross-site', ...opened, 'sec-fetch-dest': 'iframe' },
      { 'sec-fetch-site': 'cross-site', ...opened, 'sec-fetch-mode': 'cors' },
      { 'sec-fetch-site': 'cross-site', ...opened, origin: 'https://evil.example' }
    ]
    for (const headers of foreign) {
      for (const route of [page, ROUTES[0]!])
        t.match(
          (await call(app, route, { headers: { host: 'localhost', ...headers } })).json(), { status: 403, code: 'NOT_LOCAL' },
          `${label(route)} ${JSON.stringify(headers)}`
        )
    }
    const write = ROUTES.find(({ action }) => action === 'schedules:disable')!
    t.match(
      (await call(app, write, { headers: { 'sec-fetch-site': 'cross-site', ...opened } })).json(), { code: 'NOT_LOCAL' },
      'submitting a form also opens a page'
    )
  })

  await t.test('the address of the socket counts, even with trustProxy', async t => {
    const { app } = await build(t, {}, Fastify({ trustProxy: true }))
    t.equal(
      (await call(app, ROUTES[0]!, {
        remoteAddress: '192.0.2.7', headers: { 'x-forwarded-for': '127.0.0.1', host: 'localhost' }
      })).statusCode,
      403
    )
  })
})

void t.test('in production no route is open until access is configured', async t => {
  t.teardown(setVariable('NODE_ENV', 'production'))
  const lines: Array<{ level: number; msg: string }> = []
  const logging = () =>
    Fastify({
      loggerInstance: pino({ level: 'warn' }, { write: line => { lines.push(JSON.parse(line) as typeof lines[0]) } }) as never
    }) as unknown as FastifyInstance
  const { app } = await build(t, {}, logging())
  t.match(
    lines.splice(0), [{ level: 40, msg: /refuses every request.*NODE_ENV is production.*auth, authorize or access/ }], 'logged at the start'
  )
  for (const route of ROUTES) {
    for (const remoteAddress of ['127.0.0.1', '192.0.2.7']) {
      t.match(
        (await call(app, route, { remoteAddress })).json(),
        { status: 403, code: 'ACCESS_NOT_CONFIGURED', detail: /auth: .*authorize\(.*access: "host".*access: "local"/ }, label(route)
      )
    }
  }
  for (const options of [{ access: 'local' }, { access: 'host' }, { auth: CREDENTIALS }, { authorize: () => true }] as const) {
    const { app } = await build(t, options, logging())
    t.equal((await call(app, ROUTES[0]!, { headers: { authorization: AUTHORIZATION } })).statusCode, 200, JSON.stringify(options))
    t.equal(
      (await call(app, ROUTES[0]!, { headers: { authorization: AUTHORIZATION }, remoteAddress: '192.0.2.7' })).statusCode,
      'access' in options && options.access === 'local' ? 403 : 200
    )
  }
  t.same(lines, [], 'no warning once access is chosen')
  t.teardown(setVariable('NODE_ENV', 'staging'))
  await build(t, {}, logging())
  t.match(lines, [{ level: 40, msg: /answers only local requests/ }])
})

void t.test('an access option without a value is refused, so that an unset variable grants nothing', async t => {
  const queueApp = sampleQueueApp()
  for (const value of [undefined, null, '']) {
    for (const name of ['auth', 'authorize', 'access', 'readOnly', 'prefix']) {
      if (name === 'prefix' && value === '') continue
      const options = { queueApp, authorize: () => true, [name]: value } as unknown as DashboardOptions
      t.throws(
        () => resolveOptions(options),
        { code: 'INVALID_OPTIONS', message: new RegExp(`^Invalid options: ${name} is ${value === '' ? 'empty' : value} .*leave it out`) },
        `${name}: ${value}`
      )
    }
    const auth = { username: value, password: value } as unknown as NonNullable<DashboardOptions['auth']>
    const message = /^Invalid options: auth\.username is [a-z]+ [^;]*: give it a value; auth\.password is [a-z]+ [^;]*: give it a value$/
    t.throws(() => resolveOptions({ queueApp, auth }), { code: 'INVALID_OPTIONS', message })
  }
  const harmless = {
    title: undefined, environment: undefined, publicPath: undefined, trustForwarded: undefined, interfaceFolder: undefined, tags: undefined
  }
  t.match(resolveOptions({ queueApp, ...harmless } as unknown as DashboardOptions), { title: 'Tasks', trustForwarded: false, prefix: '' })
  t.match(resolveOptions({ queueApp, auth: { ...CREDENTIALS, realm: undefined } as never }).auth, { realm: 'Task dashboard' })
  t.match(resolveOptions({ queueApp, prefix: '' }), { prefix: '' })
})

void t.test('without a logger, the process warns once that access is not configured', async t => {
  const warnings: Error[] = []
  const listen = (warning: Error & { code?: string }): void => { if (warning.code === 'ACCESS_NOT_CONFIGURED') warnings.push(warning) }
  process.on('warning', listen)
  t.teardown(() => { process.off('warning', listen) })
  announceAccess(resolveOptions({ queueApp: sampleQueueApp() }, 'production'), Fastify().log)
  announceAccess(resolveOptions({ queueApp: sampleQueueApp() }, 'production'), Fastify().log)
  await new Promise(setImmediate)
  t.match(warnings, [{ name: 'TaskDashboardWarning', message: /refuses every request/ }])
  t.equal(warnings.length, 1)
})

void t.test('access: "local" also applies together with auth and authorize', async t => {
  const { app } = await build(t, { access: 'local', auth: CREDENTIALS, authorize: (_request, action) => action === 'stats:view' })
  const stats = ROUTES.find(({ action }) => action === 'stats:view')!
  const health = ROUTES.find(({ action }) => action === 'health:view')!
  const headers = { authorization: AUTHORIZATION }
  t.equal((await call(app, stats, { headers })).statusCode, 200)
  t.equal((await call(app, health, { headers })).statusCode, 403)
  t.equal((await call(app, stats)).statusCode, 401)
  t.match((await call(app, stats, { headers, remoteAddress: '192.0.2.7' })).json(), { code: 'NOT_LOCAL' })
  await t.rejects(build(t, { access: 'hots' as 'host' }), { code: 'INVALID_OPTIONS', message: /access must be "host" or "local"/ })
})

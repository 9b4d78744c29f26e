import Fastify from 'fastify'
import basicAuth from '@fastify/basic-auth'
import t from 'tap'
import { dashboardPlugin } from '../../../lib/dashboard/plugin.ts'
import { ACTIONS, isWrite, type Action } from '../../../lib/dashboard/actions.ts'
import { sampleQueueApp } from '../sample-queue-app.ts'
import { AUTHORIZATION, basic, build, call, CREDENTIALS, isAnswered, label, ROUTES } from './known-routes.ts'

void t.test('the table of routes covers every API operation and every action, and only writes have a writing method', async t => {
  const { operations } = await build(t, {})
  const inTable = ROUTES.filter(({ action }) => action !== 'ui:view').map(({ method, pattern, action }) => `${method} ${pattern} ${action}`)
  t.strictSame(operations.toSorted(), inTable.toSorted())
  t.strictSame([...new Set(ROUTES.map(({ action }) => action))].toSorted(), ACTIONS.toSorted())
  for (const route of ROUTES) t.equal(isWrite(route.action), route.method !== 'GET', label(route))
})

void t.test('auth: a name and a password protect every route', async t => {
  const { app } = await build(t, { auth: CREDENTIALS })
  await t.test('every route accepts the right name and password, from any address', async t => {
    for (const route of ROUTES)
      t.ok(
        isAnswered(await call(app, route, { remoteAddress: '192.0.2.7', headers: { host: 'example.org', authorization: AUTHORIZATION } })),
        label(route)
      )
    t.equal(
      (await call(app, {
        method: 'GET', url: '/tasks/api/session'
      }, { headers: { authorization: AUTHORIZATION } })).json<{ user: string }>().user,
      'ops'
    )
  })
  await t.test('without them, every route and any other path below the mount responds with 401 and a challenge', async t => {
    const nowhere = { method: 'GET', url: '/tasks/api/nowhere', action: 'ui:view' } as const
    for (const route of [...ROUTES, nowhere]) {
      const answer = await call(app, route)
      t.equal(answer.statusCode, 401, label(route))
      t.match(answer.headers['www-authenticate'], /^Basic realm="Task dashboard"/)
      t.match(answer.json(), { status: 401, code: 'UNAUTHENTICATED', detail: /Sign in/ })
    }
    const wrong = [
      basic('ops', 'x'), basic('x', 'sésame:1'), basic('', ''), basic('ops', ''), basic('OPS', 'sésame:1'), basic('ops', 'sésame:1 '),
      'Basic', 'Basic !!', 'Bearer x', basic('ops\0', 'sésame:1')
    ]
    for (const authorization of wrong) t.equal((await call(app, ROUTES[0]!, { headers: { authorization } })).statusCode, 401, authorization)
  })
})

void t.test('with access: "host", the host\'s guard decides first, and then every route is open', async t => {
  const host = Fastify()
  host.addHook('onRequest', async request => {
    if (request.headers['x-guard'] !== 'open') throw Object.assign(new Error('The host says no'), { statusCode: 401 })
  })
  const { app } = await build(t, { access: 'host' }, host)
  for (const route of ROUTES) {
    t.ok(isAnswered(await call(app, route, { remoteAddress: '192.0.2.7', headers: { 'x-guard': 'open' } })), label(route))
    const refused = await call(app, route)
    t.equal(refused.statusCode, 401, label(route))
    t.match(refused.json(), { status: 401, code: 'HTTP_401', detail: 'The server refused this request: Unauthorized' })
    t.notMatch(refused.body, 'The host says no')
    t.match(refused.headers, { 'cache-control': 'no-store', 'x-frame-options': 'DENY' })
  }
})

void t.test('readOnly refuses every write and nothing else', async t => {
  const { app } = await build(t, { readOnly: true })
  for (const route of ROUTES) {
    const answer = await call(app, route)
    if (route.method !== 'GET') t.match(answer.json(), { status: 403, code: 'READ_ONLY', detail: route.action }, label(route))
    else t.ok(isAnswered(answer), label(route))
  }
  const session = (await app.inject('/tasks/api/session')).json<{ actions: Action[]; read_only: boolean }>()
  t.equal(session.read_only, true)
  t.notOk(session.actions.some(isWrite))
})

void t.test('writes are accepted only from the dashboard itself and from programs', async t => {
  const { app } = await build(t, { access: 'host' })
  const same: Array<Record<string, string>> = [{}, {
    'sec-fetch-site': 'same-origin'
  }, { origin: 'http://localhost:80' }, { origin: 'https://localhost:8443', host: 'localhost:8443' },
  { 'sec-fetch-site': 'same-origin', origin: 'https://proxy.example' }]
  const cross: Array<Record<string, string>> = [...[
    'cross-site', 'same-site', 'none', ''
  ].map(site => ({ 'sec-fetch-site': site })), { origin: 'https://evil.example' }, { origin: 'null' },
  { origin: 'http://localhost:81' }, { origin: 'http://localhost.evil.example' },
  { 'sec-fetch-site': 'cross-site', origin: 'http://localhost' }]
  for (const route of ROUTES.filter(({ action }) => isWrite(action))) {
    for (const headers of same)
      t.not(
        (await call(app, route, { headers: { host: 'localhost', ...headers } })).statusCode, 403,
        `${label(route)} ${JSON.stringify(headers)}`
      )
    for (const headers of cross)
      t.match(
        (await call(app, route, { headers: { host: 'localhost', ...headers } })).json(), { code: 'CROSS_SITE_WRITE' },
        `${label(route)} ${JSON.stringify(headers)}`
      )
  }
  t.equal(
    (await app.inject({ url: '/tasks/api/stats', headers: { 'sec-fetch-site': 'cross-site' } })).statusCode, 200,
    'reads are not restricted'
  )
})

void t.test('basic auth of the host and of each dashboard keep separate passwords', async t => {
  const app = Fastify()
  await app.register(basicAuth, { validate: async name => { if (name !== 'host') throw new Error('no') }, authenticate: true })
  app.get('/host', { onRequest: app.basicAuth }, async () => 'host')
  await app.register(dashboardPlugin, {
    prefix: '/one', queueApp: sampleQueueApp(), auth: { username: 'one', password: '1', realm: 'First' }
  })
  await app.register(dashboardPlugin, { prefix: '/two', queueApp: sampleQueueApp(), auth: { username: 'two', password: '2' } })
  const status = async (url: string, authorization: string) => (await app.inject({ url, headers: { authorization } })).statusCode
  t.strictSame([await status('/host', basic('host', '')), await status('/host', basic('one', '1'))], [200, 401])
  t.strictSame(
    [
      await status('/one/api/stats', basic('one', '1')), await status('/one/api/stats', basic('two', '2')),
      await status('/one/api/stats', basic('host', ''))
    ],
    [200, 401, 401]
  )
  t.strictSame([await status('/two/api/stats', basic('two', '2')), await status('/two/api/stats', basic('one', '1'))], [200, 401])
  t.match((await app.inject('/one/api/stats')).headers['www-authenticate'], /realm="First"/)
})

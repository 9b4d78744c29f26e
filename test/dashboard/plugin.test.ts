import fastifyStatic from '@fastify/static'
import swagger from '@fastify/swagger'
import Fastify, { type FastifyInstance, type FastifyServerOptions, type InjectOptions } from 'fastify'
import t from 'tap'
import { createApi, refuseIncompleteRoute } from '../../lib/dashboard/http/routes/api.ts'
import type { DashboardOptions } from '../../lib/dashboard/options.ts'
import { ROOT } from '../support/source-files.ts'
import { dashboardPlugin } from '../../lib/dashboard/plugin.ts'
import { createPrivateFastify } from '../../lib/hosts/bridges/private-fastify.ts'
import { createRouter } from '../../lib/hosts/router.ts'
import { TASK_NAMES, sampleQueueApp } from './sample-queue-app.ts'
import { buildDashboard } from './build-dashboard.ts'

void t.test('the dashboard can be mounted under any prefix, with or without a trailing slash', async t => {
  for (const prefix of ['', '/', '/tasks', '/tasks/', '/a/b/c', '/a/b/c/', '/:tenant/tasks', '/日報']) {
    const app = await buildDashboard(t, { prefix })
    const mount = encodeURI(prefix.replace(/\/$/, '').replace(':tenant', 'acme'))
    t.equal((await app.inject(`${mount}/api/stats`)).statusCode, 200, `${prefix} stats`)
    t.equal((await app.inject(`${mount}/api/tasks/reports%2Fdaily/executions`)).statusCode, 200, `${prefix} executions`)
    t.equal((await app.inject({ method: 'PUT', url: `${mount}/api/schedules/s%2F2/enable` })).statusCode, 200, `${prefix} enable`)
    const pages: Array<[string, string]> = [
      [`${mount}/`, './'], [`${mount}/schedules`, './'], [`${mount}/schedules/`, '../'], [`${mount}/tasks/x/y?z=1/2`, '../../']
    ]
    if (mount) pages.push([mount, `./${mount.slice(mount.lastIndexOf('/') + 1)}/`])
    for (const [url, base] of pages) {
      const page = await app.inject(url)
      t.equal(page.statusCode, 200, url)
      t.match(page.headers['content-type'], /^text\/html/)
      const href = /<base href="([^"]*)">/.exec(page.body)?.[1]
      t.equal(href, base, `base of ${url}`)
      t.equal(new URL(href!, `http://localhost${url}`).pathname, `${mount}/`)
    }
  }
})

void t.test('a page embeds the session so that it cannot close its script, and needs the same access as the API', async t => {
  const app = await buildDashboard(t, { title: '</script><b>"&', environment: '<!--' })
  const { body, headers } = await app.inject('/tasks/')
  const [, json] = /<script type="application\/json" id="task-dashboard-session">(.*?)<\/script>/.exec(body)!
  t.strictSame(JSON.parse(json!), (await app.inject('/tasks/api/session')).json())
  t.match(JSON.parse(json!), { title: '</script><b>"&', environment: '<!--', broker: 'redis', backend: 'postgres', user: null })
  t.match(body, '<title>&lt;/script&gt;&lt;b&gt;&quot;&amp;</title>')
  t.match(headers['content-security-policy'], /default-src 'none'.*frame-ancestors 'none'/)
  t.notMatch(headers['content-security-policy'], /unsafe/)

  const asset = /(assets\/[^"]+\.js)"/.exec(body)![1]!
  const script = await app.inject(`/tasks/${asset}`)
  t.equal(script.statusCode, 200)
  t.match(script.headers, { 'cache-control': /immutable/, 'x-content-type-options': 'nosniff', 'content-type': /javascript/ })
  for (const url of [`/tasks/${asset}`, '/tasks/', '/tasks', '/tasks/schedules', '/tasks/assets/none.js']) {
    t.equal((await app.inject({ url, remoteAddress: '192.0.2.1' })).statusCode, 403, url)
  }
  t.equal((await app.inject('/tasks/assets/none.js')).statusCode, 404)
  t.equal((await app.inject('/tasks/assets/..%2f..%2fpackage.json')).statusCode, 404)
  t.match((await (await buildDashboard(t, { publicPath: '/ops/q/' })).inject('/tasks')).body, '<base href="/ops/q/">')
})

void t.test('a page contains health and statistics for users who may see them, and does not wait for a store', async t => {
  const answersIn = (body: string): Record<string, unknown> | undefined => {
    const [, json] = /<script type="application\/json" id="task-dashboard-answers">(.*?)<\/script>/.exec(body) ?? []
    return json === undefined ? undefined : JSON.parse(json) as Record<string, unknown>
  }
  const open = await buildDashboard(t)
  const answers = answersIn((await open.inject('/tasks/schedules')).body)
  const { generated_at: _at, ...stats } = (await open.inject('/tasks/api/stats')).json<{ generated_at: string }>()
  const { status, components } = (await open.inject('/tasks/api/health')).json<Record<string, object>>()
  t.match(answers, { health: { status, components }, stats })

  const limited = await buildDashboard(t, { authorize: (_request, action) => action !== 'stats:view' })
  t.same(Object.keys(answersIn((await limited.inject('/tasks')).body)!), ['at', 'health', 'reads'])
  const closed = await buildDashboard(t, { authorize: (_request, action) => action === 'ui:view' })
  const { at: _time, ...nothing } = answersIn((await closed.inject('/tasks')).body)!
  t.same(nothing, { reads: {} })

  for (const statistics of [() => new Promise<never>(() => {}), () => Promise.reject(new Error('out of reach'))]) {
    const slow = await buildDashboard(t, {}, { monitoring: { statistics } })
    const page = await slow.inject('/tasks')
    t.equal(page.statusCode, 200)
    t.same(Object.keys(answersIn(page.body)!), ['at', 'health', 'reads'])
  }
})

void t.test('two dashboards in one server show their own queue apps', async t => {
  const app = Fastify()
  const other = sampleQueueApp({ monitoring: { stores: { broker: 'embedded', backend: 'embedded' } } })
  await app.register(dashboardPlugin, { prefix: '/one', queueApp: sampleQueueApp(), title: 'One' })
  await app.register(async admin => {
    await admin.register(dashboardPlugin, { prefix: '/two', queueApp: other, title: 'Two', readOnly: true })
  }, { prefix: '/admin' })
  t.match((await app.inject('/one/api/session')).json(), { title: 'One', broker: 'redis', read_only: false })
  t.match((await app.inject('/admin/two/api/session')).json(), { title: 'Two', broker: 'embedded', read_only: true })
  t.equal((await app.inject('/admin/two/api/tasks/a%2Fb/executions')).json<{ code: string }>().code, 'TASK_NOT_FOUND')
})

void t.test('host and dashboard do not affect each other', async t => {
  const app = Fastify({
    exposeHeadRoutes: false,
    bodyLimit: 10,
    ajv: { customOptions: { coerceTypes: false, removeAdditional: 'all', useDefaults: false, strict: true } },
    routerOptions: { ignoreTrailingSlash: true, ignoreDuplicateSlashes: true, maxParamLength: 5, caseSensitive: false }
  } as FastifyServerOptions) as FastifyInstance
  await app.register(swagger)
  app.setErrorHandler((_error, _request, reply) => reply.code(418).send('host'))
  app.setNotFoundHandler((_request, reply) => reply.code(404).send('host'))
  app.setReplySerializer(() => '"host"')
  app.setSerializerCompiler(() => () => '"host"')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => { done(null, 'host') })
  for (const name of ['tasks', 'stats', 'schedules', 'executions', 'basicAuth']) app.decorate(name, 'host')
  app.addSchema({ $id: 'TaskDashboardTask', type: 'null' })
  await app.register(fastifyStatic, { root: ROOT, prefix: '/files/' })
  await app.register(dashboardPlugin, { prefix: '/tasks', queueApp: sampleQueueApp(), auth: { username: 'a', password: 'b' } })
  app.get('/host/:id', async () => { throw new Error('x') })
  await app.ready()

  const ask = (options: InjectOptions) => app.inject({ ...options, headers: { authorization: `Basic ${btoa('a:b')}`, ...options.headers } })
  t.equal((await ask({ url: '/tasks/api/executions?limit=2' })).json<{ items: object[] }>().items.length, 2)
  t.equal((await ask({ url: '/tasks/api/executions?limt=2' })).statusCode, 400)
  t.equal((await ask({ method: 'HEAD', url: '/tasks/api/stats' })).statusCode, 200)
  t.equal((await ask({ url:
    `/tasks//api/tasks/${encodeURIComponent(TASK_NAMES[1]!)}/executions/` })).statusCode, 200, 'slashes as the host allows')
  t.match((await ask({ url: '/tasks/api/tasks/none' })).json(), { code: 'TASK_NOT_FOUND' })
  t.match((await ask({ url: '/tasks/api/none' })).json(), { code: 'NOT_FOUND' })
  t.match(
    (await ask({ method: 'POST', url: '/tasks/api/schedules/cron', payload: { task_name: '日報', cron: '* * * * *' } })).json(),
    { task_name: '日報', cron: '* * * * *' }
  )

  t.equal((await app.inject('/host/1')).statusCode, 418)
  t.equal((await app.inject('/none')).body, 'host')
  t.equal((await app.inject('/files/LICENSE')).statusCode, 200)
  t.notMatch(JSON.stringify(app.swagger()), /api\/|TaskDashboard(?!Task")|Schedule/)
})

void t.test('an old Fastify is refused with an error about its version, not about something missing', async t => {
  const refused = {
    code: 'FST_ERR_PLUGIN_VERSION_MISMATCH',
    message: /fastify-task-dashboard\S* - expected '\^5\.3\.0' fastify version, '5\.2\.2' is installed/
  }
  const queueApp = sampleQueueApp()
  for (const plugin of [dashboardPlugin, createRouter(queueApp, { access: 'host' })]) {
    const app = Object.defineProperty(Fastify(), 'version', { value: '5.2.2' })
    await t.rejects(async () => { await app.register(plugin, { queueApp, access: 'host' }) }, refused)
  }
  const hosted = createPrivateFastify(queueApp, {
    access: 'host', configure: app => { Object.defineProperty(app, 'version', { value: '5.2.2' }) }
  })
  await t.rejects(hosted.ready(), refused, 'also the Fastify behind other hosts')
})

void t.test('a host can register swagger and hooks after the dashboard', async t => {
  const app = Fastify()
  app.addHook('onRequest', async (_request, reply) => { reply.header('x-host', '1') })
  await app.register(dashboardPlugin, { prefix: '/tasks', queueApp: sampleQueueApp() })
  await app.register(swagger)
  await app.ready()
  t.equal((await app.inject('/tasks/api/stats')).headers['x-host'], '1')
  t.strictSame(Object.keys(app.swagger().paths ?? {}), [])
})

void t.test('every response has the security headers, and none allows another origin', async t => {
  // In local mode, requests with a foreign Origin are refused anyway.
  const app = await buildDashboard(t, { access: 'host' })
  for (const url of ['/tasks', '/tasks/api/stats', '/tasks/api/none', '/tasks/api/tasks/none', '/tasks/api/executions?limit=x']) {
    const { headers } = await app.inject({ url, headers: { origin: 'https://evil.example' } })
    t.match(headers, { 'content-security-policy': /default-src 'none'/, 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer', 'x-frame-options': 'DENY',
      'cross-origin-resource-policy': 'same-origin', 'cross-origin-opener-policy': 'same-origin' })
    t.match(headers['cache-control'], url === '/tasks' ? 'no-cache' : 'no-store')
    t.notOk(Object.keys(headers).some(name => name.startsWith('access-control')))
  }
})

void t.test('one error lists every invalid option', async t => {
  const bad = {
    queueApp: {}, auth: { username: 'a:b', password: '' }, access: 'host', authorize: () => true, readOnly: 'yes', title: '',
    environment: 'x'.repeat(41), publicPath: 'x', realm: 1
  }
  await t.rejects(async () => { await Fastify().register(dashboardPlugin, bad as unknown as DashboardOptions) }, {
    code: 'INVALID_OPTIONS',
    message:
      /queueApp.*auth\.password is empty.*realm is not an option.*auth\.username.*readOnly.*title.*environment.*publicPath.*access: "host" cannot be combined with auth:.*access: "host" cannot be combined with authorize:/
  })
  const unknown = { queueApp: sampleQueueApp(), access: 'none' } as unknown as DashboardOptions
  await t.rejects(async () => { await Fastify().register(dashboardPlugin, unknown) }, { code: 'INVALID_OPTIONS' })
})

void t.test('a route without an action or a documented schema fails at startup', async t => {
  const complete = {
    method: 'GET', url: '/api/x', config: { action: 'stats:view' },
    schema: { operationId: 'getX', tags: ['x'], querystring: {}, response: { 200: {} } }, handler: async () => ({})
  } as const
  const declare = (route: object) => {
    const app = Fastify()
    app.addHook('onRoute', refuseIncompleteRoute)
    createApi(app).route(route as Parameters<ReturnType<typeof createApi>['route']>[0])
  }
  t.doesNotThrow(() => declare(complete))
  t.throws(() => declare({ ...complete, config: {} }), /config\.action/)
  t.throws(() => declare({ ...complete, config: { action: 'stats:peek' } }), /config\.action/)
  t.throws(() => declare({ ...complete, method: 'PUT' }), /a method that fits stats:view/)
  t.throws(() => declare({ ...complete, schema: {} }), /operationId.*querystring.*tags.*response/)
})

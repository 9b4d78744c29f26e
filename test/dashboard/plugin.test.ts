import fastifyStatic from '@fastify/static'
import swagger from '@fastify/swagger'
import Fastify, { type FastifyInstance, type FastifyServerOptions, type InjectOptions } from 'fastify'
import t, { type Test } from 'tap'
import { createTaskDashboardError, type ErrorCode } from '../../lib/errors.ts'
import { createApi, refuseIncompleteRoute } from '../../lib/dashboard/http/routes/api.ts'
import type { DashboardOptions } from '../../lib/dashboard/options.ts'
import { ROOT } from '../support/source-files.ts'
import { dashboardPlugin } from '../../lib/dashboard/plugin.ts'
import { createPrivateFastify } from '../../lib/hosts/bridges/private-fastify.ts'
import { createRouter } from '../../lib/hosts/router.ts'
import type { Monitoring } from '../../lib/queue-app/monitoring/monitoring.ts'
import type { Operations } from '../../lib/queue-app/operations/operations.ts'
import type { ExecutionPage, FailureGroupPage, Session, Stats, Timeseries } from '../../schemas/index.ts'
import { inTime } from '../support/in-time.ts'
import { EXECUTION_IDS, NOW, PRUNED_ID, TASK_NAMES, pageOf, sampleQueueApp, sampleSchedule } from './sample-queue-app.ts'

void t.test('it is mounted under any prefix, with and without a trailing slash', async t => {
  for (const prefix of ['', '/', '/tasks', '/tasks/', '/a/b/c', '/a/b/c/', '/:tenant/tasks', '/日報']) {
    const app = await build(t, { prefix })
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

void t.test('a page carries the session as text that cannot end its script, and is guarded like the API', async t => {
  const app = await build(t, { title: '</script><b>"&', environment: '<!--' })
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
  t.match((await (await build(t, { publicPath: '/ops/q/' })).inject('/tasks')).body, '<base href="/ops/q/">')
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

void t.test('nothing of the host reaches it, and nothing of it reaches the host', async t => {
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
    `/tasks//api/tasks/${encodeURIComponent(TASK_NAMES[1]!)}/executions/` })).statusCode, 200, 'the host\'s slashes')
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

void t.test('a Fastify that is too old is refused by its version, not by what it lacks', async t => {
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
  await t.rejects(hosted.ready(), refused, 'the Fastify behind other hosts, too')
})

void t.test('a host\'s swagger that comes later, and its hooks, work as they do for every plugin', async t => {
  const app = Fastify()
  app.addHook('onRequest', async (_request, reply) => { reply.header('x-host', '1') })
  await app.register(dashboardPlugin, { prefix: '/tasks', queueApp: sampleQueueApp() })
  await app.register(swagger)
  await app.ready()
  t.equal((await app.inject('/tasks/api/stats')).headers['x-host'], '1')
  t.strictSame(Object.keys(app.swagger().paths ?? {}), [])
})

void t.test('names and ids of every kind are found, whatever has to be encoded in them', async t => {
  const app = await build(t)
  for (const name of TASK_NAMES) {
    t.equal((await app.inject(`/tasks/api/tasks/${encodeURIComponent(name)}`)).json<{ name: string }>().name, name)
    t.equal((await app.inject(`/tasks/api/tasks/${encodeURIComponent(name)}/executions?limit=1`)).statusCode, 200)
  }
  for (const id of EXECUTION_IDS)
    t.equal((await app.inject(`/tasks/api/executions/${encodeURIComponent(id)}`)).json<{ execution_id: string }>().execution_id, id)
  for (const [name, status] of [
    ['%00', 400], ['%ff', 400], ['%ed%a0%80', 400], ['x'.repeat(101), 400], ['x'.repeat(13_000), 414], ['a/b', 404], ['', 404],
    ['%E2%80%AE', 404]
  ] as const) {
    t.equal((await app.inject(`/tasks/api/tasks/${name}`)).statusCode, status, name.slice(0, 20))
  }
})

void t.test('unknown addresses are 404, known ones with another method 405 with Allow', async t => {
  const app = await build(t)
  for (const url of [
    '/tasks/api', '/tasks/api/', '/tasks/api/none', '/tasks/api/stats/', '/tasks/api/schedules/', '/tasks/api/stats/x',
    '/tasks/api/schedules/s-1/none', '/tasks/assets/none.css'
  ]) {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const) {
      const answer = await app.inject({ method, url, headers: { 'content-type': 'text/plain' }, ...(method !== 'GET' && { payload: 'x' }) })
      t.match(answer.json(), { status: 404, code: 'NOT_FOUND', instance: url }, `${method} ${url}`)
      t.match(answer.headers['content-type'], /^application\/problem\+json/)
    }
  }
  const known = [
    ['POST', '/tasks/api/stats', 'GET, HEAD'], ['PUT', '/tasks/api/schedules/s-1', 'DELETE, GET, HEAD, PATCH'],
    ['GET', '/tasks/api/schedules/s-1/enable', 'PUT'],
    ['OPTIONS', '/tasks/api/tasks/a%2Fb/executions', 'GET, HEAD'], ['DELETE', '/tasks/', 'GET, HEAD'],
    ['POST', '/tasks/schedules', 'GET, HEAD']
  ] as const
  for (const [method, url, allow] of known) {
    const answer = await app.inject({ method, url })
    t.match(answer.json(), { status: 405, code: 'METHOD_NOT_ALLOWED' }, `${method} ${url}`)
    t.equal(String(answer.headers['allow']).split(', ').sort().join(', '), allow)
  }
})

void t.test('bodies', async t => {
  const app = await build(t)
  const post = (payload: string | object | undefined, type = 'application/json', url = '/tasks/api/schedules/cron') =>
    app.inject({ method: 'POST', url, headers: { 'content-type': type }, ...(payload !== undefined && { payload }) })
  const good = { task_name: 'email:send', cron: '* * * * *' }

  await t.test('a good one makes a schedule, whose address is in Location', async t => {
    const answer = await post({ ...good, args: [1, { a: '</script>' }], enabled: false, priority: 2_097_151, description: 'two\nlines 🎉' })
    t.equal(answer.statusCode, 201)
    t.match(answer.json(), { ...good, args: [1, { a: '</script>' }], enabled: false, priority: 2_097_151, description: 'two\nlines 🎉' })
    const location = new URL(String(answer.headers['location']), 'http://localhost/tasks/api/schedules/cron')
    t.equal(
      (await app.inject(location.pathname)).json<{ schedule_id: string }>().schedule_id, answer.json<{ schedule_id: string }>().schedule_id
    )
    t.equal((await post(nested(99))).statusCode, 201)
    t.match(
      (await post({ task_name: '日報', interval_ms: 1000 }, 'application/json', '/tasks/api/schedules/interval')).json(),
      { schedule_type: 'interval', interval_ms: 1000 }
    )
  })

  await t.test('a bad one is refused, pointing at what is wrong', async t => {
    const bad: Array<[string | object | undefined, (string | undefined)?]> = [
      [undefined, ''], ['', ''], ['null', ''], ['[]', ''], ['"x"', ''], ['{', undefined], [nested(101), undefined],
      [nested(30_000), undefined], ['{"__proto__":{"a":1}}', undefined], ['{"a":{"constructor":{"prototype":1}}}', undefined],
      [{ cron: '* * * * *' }, '/task_name'], [{ ...good, extra: 1 }, '/extra'], [{ ...good, 'a/b~c': 1 }, '/a~1b~0c'],
      [{ ...good, priority: '1' }, '/priority'],
      [{ ...good, priority: 1.5 }, '/priority'], [{ ...good, priority: -1 }, '/priority'], [{ ...good, priority: 2_097_152 }, '/priority'],
      [{ ...good, enabled: 'true' }, '/enabled'],
      [{ ...good, enabled: null }, '/enabled'], [{ ...good, args: {} }, '/args'], [{ ...good, args: Array(101).fill(0) }, '/args'],
      [{ ...good, cron: '* * *' }, '/cron'],
      [{ ...good, cron: 'x'.repeat(257) }, '/cron'], [{ ...good, task_name: '' }, '/task_name'],
      [{ ...good, task_name: 'none' }, '/task_name'],
      [{ ...good, task_name: 'a\0' }, '/task_name'], ['{"task_name":"\\ud800","cron":"* * * * *"}', '/task_name'],
      [{ ...good, task_name: 'x'.repeat(10_000) }, '/task_name'],
      [{ ...good, description: 'x'.repeat(1001) }, '/description'], [{ ...good, timezone: '../UTC' }, '/timezone'],
      [{ ...good, overlap: 'maybe' }, '/overlap'], [{ ...good, interval_ms: 1000 }, '/interval_ms']
    ]
    for (const [payload, pointer] of bad) {
      const answer = await post(payload)
      t.equal(answer.statusCode, 400, `${JSON.stringify(payload)?.slice(0, 80)}: ${answer.body.slice(0, 200)}`)
      if (pointer !== undefined) t.equal(answer.json<{ errors: Array<{ pointer: string }> }>().errors[0]?.pointer, pointer)
    }
    const many = await post(Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`k${index}`, 1])))
    t.equal(many.json<{ errors: object[] }>().errors.length, 20)
  })

  await t.test('other types are 415, larger ones 413', async t => {
    for (const type of [
      'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/jsonx', 'nonsense'
    ])
      t.equal((await post(JSON.stringify(good), type)).statusCode, 415, type)
    t.equal((await app.inject({ method: 'POST', url: '/tasks/api/schedules/cron', payload: Buffer.from('{}') })).statusCode, 415)
    t.equal((await post(JSON.stringify({ ...good, description: 'x'.repeat(131_072) }))).statusCode, 413)
    t.equal((await post(JSON.stringify(good), 'application/json; charset=utf-8')).statusCode, 201)
  })

  await t.test('where none is expected a JSON one, or an empty one, changes nothing', async t => {
    const url = '/tasks/api/schedules/s-1/disable'
    for (const payload of ['', '{}', '{"enabled":true}']) {
      t.match(
        (await app.inject({ method: 'PUT', url, payload, headers: { 'content-type': 'application/json' } })).json(), { enabled: false }
      )
    }
    t.equal((await app.inject({ method: 'PUT', url })).statusCode, 200)
    t.equal((await app.inject({ method: 'PUT', url, payload: 'x', headers: { 'content-type': 'text/plain' } })).statusCode, 415)
  })
})

void t.test('a schedule is edited, run and looked into by its address', async t => {
  const changes: object[] = []
  const sample = sampleQueueApp().operations
  const updateSchedule: Operations['updateSchedule'] = (
    id, fields, options
  ) => {
    changes.push([fields, options])
    return sample.updateSchedule(
      id, fields, options
    )
  }
  const app = await build(t, { auth: { username: 'ana', password: 'x' } }, { operations: { updateSchedule } })
  const headers = { authorization: `Basic ${btoa('ana:x')}` }
  const url = '/tasks/api/schedules/s-1'
  const patch = (payload: object, more: Record<string, string> = {}) =>
    app.inject({ method: 'PATCH', url, headers: { ...headers, ...more }, payload })

  const read = await app.inject({ url, headers })
  t.match(read.json(), {
    version: 'v.1', wins: 'live', task_registered: true, overdue: false, catch_up: 'none',
    drift: { fields: [{ field: 'jitter_ms', code: 5, live: 0, by: 'ana', since: /Z$/ }] }
  })
  const answer = await patch(
    { cron: '1 2 * * *', start_at: '2026-11-20T10:00:00+01:00', end_at: null }, { 'if-match': String(read.headers['etag']) }
  )
  t.equal(answer.statusCode, 200)
  t.equal(answer.headers['etag'], `"${answer.json<{ version: string }>().version}"`)
  t.strictSame(
    changes[0], [{ cron: '1 2 * * *', startAt: NOW, endAt: null }, { by: 'ana', ifVersion: 'v.1' }], 'only what was sent, without defaults'
  )
  for (const stale of ['"v.1"', 'W/"v.1"', 'W/"v.1~abc"', 'v.1', '""'])
    t.match((await patch({ priority: 1 }, { 'if-match': stale })).json(), { status: 409, code: 'CONFLICT' }, stale)
  t.equal((await patch({ priority: 1 }, { 'if-match': '*' })).statusCode, 200)
  t.equal((await patch({ priority: 1 }, { 'if-match': String((await patch({ priority: 2 })).headers['etag']) })).statusCode, 200)

  const bad: Array<[object, string]> = [
    [{}, ''], [{ task_name: 'email:send' }, '/task_name'], [{ schedule_id: 'x' }, '/schedule_id'], [{ cron: '' }, '/cron'],
    [{ cron: '* *' }, '/cron'], [{ cron: null }, '/cron'], [{ interval_ms: 999 }, '/interval_ms'],
    [{ interval_ms: 31_536_000_001 }, '/interval_ms'], [{ interval_ms: 1000.5 }, '/interval_ms'], [{ timezone: '' }, '/timezone'],
    [{ description: 'x'.repeat(1001) }, '/description'], [{ args: {} }, '/args'],
    [{ args: Array(101).fill(0) }, '/args'], [{ enabled: 'yes' }, '/enabled'], [{ priority: -1 }, '/priority'],
    [{ priority: 2_097_152 }, '/priority'], [{ overlap: 'queue' }, '/overlap'], [{ catch_up: 'all' }, '/catch_up'],
    [{ jitter_ms: -1 }, '/jitter_ms'], [{ jitter_ms: 3_600_001 }, '/jitter_ms'], [{ start_at: 'tomorrow' }, '/start_at'],
    [{ end_at: 5 }, '/end_at'], [{ end_at: '2026-11-20T23:59:60Z' }, '/end_at'], [{ wins: 'me' }, '/wins']
  ]
  for (const [payload, pointer] of bad) {
    const refused = await patch(payload)
    t.equal(refused.statusCode, 400, `${JSON.stringify(payload).slice(0, 60)} ${refused.body.slice(0, 200)}`)
    t.equal(refused.json<{ errors: Array<{ pointer: string }> }>().errors[0]?.pointer, pointer)
  }
  for (const [name, value] of [['jitter_ms', 3_600_001], ['catch_up', 'all'], ['start_at', 'x'], ['wins', 'code']] as const) {
    t.equal(
      (await app.inject({
        method: 'POST', url: '/tasks/api/schedules/cron', headers, payload: { task_name: 'email:send', cron: '* * * * *', [name]: value }
      })).statusCode,
      400, name
    )
  }

  t.match(await app.inject({ method: 'POST', url: `${url}/run`, headers }), { statusCode: 202, body: '{"execution_id":"e-1"}' })
  t.match((await app.inject({ url: `${url}/executions?limit=2`, headers })).json(), { items: [{}, {}], next_cursor: 'next' })
  t.match((await app.inject({ url: `${url}/misses`, headers })).json(), {
    items: [
      { kind: 'late', late_by_ms: 40_000, execution_id: 'e-1' },
      { kind: 'missed', reason: 'no_worker', count: 9, first_due_at: /Z$/, late_by_ms: null }
    ],
    next_cursor: null, total: { value: 2, relation: 'exact' }
  })
  for (const [method, path] of [['POST', 'run'], ['GET', 'executions'], ['GET', 'misses']] as const) {
    t.match(
      (await app.inject({ method, url: `/tasks/api/schedules/none/${path}`, headers })).json(), { status: 404, code: 'SCHEDULE_NOT_FOUND' }
    )
  }
  t.equal((await app.inject({ url: `${url}/executions?schedule_id=s-1`, headers })).statusCode, 400)
  const agenda = (query: string) => app.inject({ url: `/tasks/api/schedules/agenda${query}`, headers })
  t.match((await agenda('?from=2026-11-20T09:30:00Z&to=2026-11-20T11:00:00Z')).json(), {
    from: '2026-11-20T09:00:00.000Z', to: '2026-11-20T11:00:00.000Z', hours: ['2026-11-20T09:00:00.000Z', '2026-11-20T10:00:00.000Z'],
    totals: [2, 2], schedules: [{ schedule_id: 's-1', counts: [2, 2], total: 4 }]
  })
  t.equal((await agenda('')).json<{ hours: string[] }>().hours.length, 24)
  t.equal((await agenda('?from=2026-11-20T09:00:00Z&to=2026-11-27T09:00:00Z')).json<{ hours: string[] }>().hours.length, 168)
  for (const query of [
    '?from=2026-11-20T09:00:00Z&to=2026-11-27T09:00:00.001Z', '?from=2026-11-20T09:00:00Z&to=2026-11-20T09:00:00Z', '?from=x', '?hours=5'
  ])
    t.equal((await agenda(query)).statusCode, 400, query)
})

void t.test('queries', async t => {
  const app = await build(t)
  const bad: Array<[string, (string | undefined)?]> = [
    ['schedules?limit=0', 'limit'], ['schedules?limit=1001', 'limit'], ['schedules?limit=x', 'limit'],
    ['schedules?enabled_only=maybe', 'enabled_only'], ['schedules?enabledonly=true', 'enabledonly'],
    ['schedules?cursor=x'], ['schedules?cursor=W10', undefined], [`schedules?search=${'x'.repeat(201)}`, 'search'],
    ['schedules?search=%00', 'search'], ['schedules?search=a&search=b', 'search'],
    ['executions?status=done', 'status'], ['executions?from=yesterday', 'from'], ['executions?to=2026-11-20T23:59:60Z', 'to'],
    ['executions?cursor=x'], ['stats?x=1', 'x'],
    [`executions?search=${'x'.repeat(513)}`, 'search'], ['executions?search=%00', 'search'], ['executions?search=status:done', 'search'],
    ['executions?min_duration_ms=-1', 'min_duration_ms'],
    ['executions?min_duration_ms=x', 'min_duration_ms'], ['executions?min_duration_ms=31536000001', 'min_duration_ms'],
    ['executions?worker_id=', 'worker_id'],
    [`executions?worker_id=${'x'.repeat(513)}`, 'worker_id'], ['executions?error_group=', 'error_group'],
    [`executions?error_group=${'x'.repeat(513)}`, 'error_group'], ['executions?max_duration_ms=1', 'max_duration_ms'],
    ['search/completions', 'search'], ['search/completions?search=a', 'position'], ['search/completions?search=a&position=-1', 'position'],
    ['search/completions?search=a&position=513', 'position'],
    [`search/completions?search=${'x'.repeat(513)}&position=0`, 'search'], ['search/completions?search=a&position=0&limit=5', 'limit'],
    ['failures?from=yesterday', 'from'], ['failures?limit=201', 'limit'], ['failures?cursor=x'], ['failures?status=failed', 'status'],
    ['failures?task_name=', 'task_name'],
    ['timeseries?metric=cpu', 'metric'], ['timeseries?window=2h', 'window'], ['timeseries?step=2m', 'step'],
    ['timeseries?window=7d&step=1m', 'step'], ['timeseries?window=1h&step=3h', 'step'],
    ['timeseries?task_name=', 'task_name'], ['timeseries?from=2026-11-20T09:00:00Z', 'from'],
    ['schedules/preview'], ['schedules/preview?cron=*+*+*+*+*&interval_ms=1000'], ['schedules/preview?cron=x', 'cron'],
    ['schedules/preview?interval_ms=1', 'interval_ms'], ['schedules/preview?cron=*+*+*+*+*&count=101', 'count']
  ]
  for (const [query, parameter] of bad) {
    const answer = await app.inject(`/tasks/api/${query}`)
    t.equal(answer.statusCode, 400, query.slice(0, 60))
    if (parameter) t.equal(answer.json<{ errors: Array<{ pointer: string }> }>().errors[0]?.pointer, parameter, query.slice(0, 60))
  }
  t.strictSame(
    (await app.inject('/tasks/api/schedules?enabled_only=true')).json<Array<{ enabled: boolean }>>().map(({ enabled }) => enabled), [true]
  )
  t.equal((await app.inject('/tasks/api/schedules/preview?cron=*+*+*+*+*&count=3')).json<{ runs: object[] }>().runs.length, 3)
})

void t.test('executions are narrowed down by parameters and by a search', async t => {
  const asked: object[] = []
  const sample = sampleQueueApp().monitoring
  const app = await build(t, {}, { monitoring: { executions: query => { asked.push(query); return sample.executions(query) } } })
  const get = async <Body = ExecutionPage>(path: string) => (await app.inject(`/tasks/api/${path}`)).json<Body>()

  t.match(await get('executions?limit=2'), {
    items: [{}, {}], next_cursor: 'next', total: { value: EXECUTION_IDS.length, relation: 'exact' }, scanned: null, complete: true
  })
  const filters = 'worker_id=host:1&error_group=abc&min_duration_ms=999.5&search=error:TypeError+took:%3C2s'
  for (const path of ['executions', 'tasks/email%3Asend/executions', 'schedules/s-1/executions']) {
    await get(`${path}?${filters}`)
    t.match(asked.at(-1), { workerId: 'host:1', errorGroup: 'abc', minDurationMs: 999.5, search: 'error:TypeError took:<2s' }, path)
  }
  t.equal((await get(`executions?${filters}`)).total.value, EXECUTION_IDS.length)
  for (const none of [
    'worker_id=another', 'error_group=abd', 'min_duration_ms=1001', 'search=error:RangeError', 'search=status:success',
    'status=failed&search=status:success', 'search=id:none'
  ]) {
    t.same(
      await get(`executions?${none}`),
      { items: [], next_cursor: null, total: { value: 0, relation: 'exact' }, scanned: null, complete: true }, none
    )
  }
  t.same((await get('executions?search=id:a/b')).items.map(one => one.execution_id), ['a/b'])
  t.equal((await get('executions?min_duration_ms=0')).total.value, EXECUTION_IDS.length)

  const wrong = await app.inject('/tasks/api/executions?search=task:x+status:done')
  t.equal(wrong.statusCode, 400)
  t.match(wrong.json(), { code: 'INVALID_SEARCH', errors: [{ pointer: 'search', position: 14, message: /done/ }] })

  const scanning = await build(t, {}, {
    monitoring: {
      executions: async () => ({
        executions: [], nextCursor: 'next', total: { value: 0, relation: 'at_least' }, scanned: 20_000, complete: false
      })
    }
  })
  t.match((await scanning.inject('/tasks/api/executions?search=x')).json(), {
    items: [], next_cursor: 'next', total: { value: 0, relation: 'at_least' }, scanned: 20_000, complete: false
  })

  t.match(await get('search/completions?search=sta&position=3'), { from: 0, to: 3, items: [{ text: /^status:/, description: /./ }] })
  t.match(await get('search/completions?search=task:rep&position=400'), { items: [{ text: /reports\/daily/ }] })
})

void t.test('an execution that retention removed is 410, one that never was 404', async t => {
  const app = await build(t)
  const gone = await app.inject(`/tasks/api/executions/${PRUNED_ID}`)
  t.match(gone.json(), { status: 410, code: 'EXECUTION_PRUNED', detail: /until 2026-11-20T09:00:00\.000Z$/ })
  t.match((await app.inject('/tasks/api/executions/none')).json(), { status: 404, code: 'EXECUTION_NOT_FOUND' })
})

void t.test('failures are pages of groups', async t => {
  const asked: object[] = []
  const sample = sampleQueueApp().monitoring
  const app = await build(t, {}, { monitoring: { failureGroups: query => { asked.push(query); return sample.failureGroups(query) } } })
  const { items, next_cursor: next, total } = (await app.inject(
    '/tasks/api/failures?limit=1&task_name=email:send&from=2026-11-20T09:00:00Z&to=2026-11-20T10:00:00%2B01:00'
  )).json<FailureGroupPage>()
  t.match(
    items,
    [
      {
        error_group: 'abc', type: 'TypeError', frame: 'send@tasks/email.js', count: 3, first_seen_at: /Z$/, is_new: false,
        tasks: [{ name: 'email:send', count: 3 }], last_execution_id: 'e-1'
      }
    ]
  )
  t.equal(items[0]!.message.length, 500)
  t.equal(items[0]!.trend.length, 24)
  t.same([next, total], ['next', { value: 2, relation: 'exact' }])
  t.same(asked, [{ taskName: 'email:send', from: NOW, to: NOW, limit: 1 }])
  t.match((await app.inject('/tasks/api/failures?cursor=next')).json(), { items: [{}, {}], next_cursor: null })
})

void t.test('the time series of each metric', async t => {
  let loads = 0
  const sample = sampleQueueApp().monitoring
  const app = await build(t, {}, { monitoring: { timeseries: query => { loads++; return sample.timeseries(query) } } })
  const get = async (query: string) => (await app.inject(`/tasks/api/timeseries${query}`)).json<Timeseries>()
  const executions = await get('?window=1h')
  t.match(executions, { metric: 'executions', step_ms: 60_000, source: 'minutes', to: '2026-11-20T09:01:00.000Z' })
  t.equal(executions.points.length, 60)
  t.same(executions.points.at(-2), {
    at: '2026-11-20T08:59:00.000Z', success: 2, failed: 1, throughput_per_minute: 3, open: false, gap: null
  })
  t.match((await get('?metric=duration_ms&window=1h')).points.at(-2), { success: 2, p50: 10, p95: 10, p99: 10 })
  t.match((await get('?metric=wait_ms&window=1h')).points.at(-2), { success: 2, p50: null, p95: null, p99: null })
  t.equal(loads, 1, 'the metrics share what is read')
  t.match((await get('')).points[0], { success: null, failed: null, throughput_per_minute: null, gap: 'before_ledger' })
  t.equal((await get('?window=24h&step=1h&task_name=email:send')).points.length, 24)
  const { headers } = await app.inject('/tasks/api/timeseries')
  t.equal((await app.inject({ url: '/tasks/api/timeseries', headers: { 'if-none-match': String(headers['etag']) } })).statusCode, 304)
})

void t.test('statistics say what of the history is kept, the session what the store can do', async t => {
  const app = await build(t)
  t.same((await app.inject('/tasks/api/stats')).json<Stats>().history, {
    success: { kept: 900, oldest_at: new Date(NOW - 9e8).toISOString() }, failed: { kept: 0, oldest_at: null },
    pruned_before: new Date(NOW - 9e8).toISOString(),
    retention: { success: { max_age_ms: 9e8, max_count: 1000 }, failed: { max_age_ms: null, max_count: null } }
  })
  t.same((await app.inject('/tasks/api/session')).json<Session>().supports, { search: 'indexed' })
})

void t.test('a long list of schedules is read page by page along its links', async t => {
  const schedules = Array.from({ length: 25 }, (_, index) =>
    sampleSchedule({
      scheduleId: `s-${String(index).padStart(2, '0')}`, createdAt: NOW + Math.floor(index / 3), taskName: index % 2 ? 'odd & even' : 'even'
    }))
  const app = await build(t, {}, { monitoring: { schedules: async query => pageOf(schedules, query) } })
  const seen: string[] = []
  let url = '/tasks/api/schedules?limit=4&task_name=odd+%26+even'
  for (let pages = 0; url && pages < 10; pages++) {
    const answer = await app.inject(url)
    seen.push(...answer.json<Array<{ schedule_id: string }>>().map(({ schedule_id: id }) => id))
    const [, next] = /^<(.*)>; rel="next"$/.exec(String(answer.headers['link'] ?? '')) ?? []
    if (!next) break
    const followed = new URL(next, `http://localhost${url}`)
    url = followed.pathname + followed.search
  }
  t.strictSame(seen, schedules.filter(({ taskName }) => taskName !== 'even').map(({ scheduleId }) => scheduleId))
})

void t.test('schedules in the order of their next runs are one page', async t => {
  const schedules = [3, null, 1, 2].map((hour, index) =>
    sampleSchedule({ scheduleId: `s-${index}`, createdAt: NOW + index, nextRunAt: hour === null ? null : NOW + hour * 3_600_000 }))
  const app = await build(t, {}, { monitoring: { schedules: async query => pageOf(schedules, query) } })
  const answer = await app.inject('/tasks/api/schedules?order=next_run&limit=2')
  t.strictSame(answer.json<Array<{ schedule_id: string }>>().map(({ schedule_id: id }) => id), ['s-2', 's-3'])
  t.equal(answer.headers['link'], undefined)
  t.match((await app.inject('/tasks/api/schedules?order=next_run&cursor=x')).json(), {
    status: 400, errors: [{ pointer: 'cursor', message: /order=next_run/ }]
  })
  t.equal((await app.inject('/tasks/api/schedules?order=name')).statusCode, 400)
})

void t.test('what is polled costs one load a second and is 304 when unchanged', async t => {
  let loads = 0
  const { statistics } = sampleQueueApp().monitoring
  const app = await build(t, {}, { monitoring: { statistics: () => { loads++; return statistics() } } })
  const answers = await Promise.all(Array.from({ length: 50 }, () => app.inject('/tasks/api/stats')))
  t.equal(loads, 1)
  const { etag } = answers[0]!.headers
  t.match(etag, /^W\/"[\w.~-]+"$/)
  for (const url of [
    '/tasks/api/stats', '/tasks/api/tasks', '/tasks/api/schedules', '/tasks/api/executions', '/tasks/api/tasks/email%3Asend',
    '/tasks/api/schedules/s-1'
  ]) {
    const { headers } = await app.inject(url)
    const again = await app.inject({ url, headers: { 'if-none-match': String(headers['etag']) } })
    t.match(again, { statusCode: 304, body: '' }, url)
    t.equal((await app.inject({ url, headers: { 'if-none-match': 'W/"other"' } })).statusCode, 200)
  }
  const list = '/tasks/api/schedules'
  const before = await app.inject(list)
  await app.inject({ method: 'PUT', url: '/tasks/api/schedules/s-1/disable' })
  const after = await app.inject({ url: list, headers: { 'if-none-match': String(before.headers['etag']) } })
  t.match(after.json<Array<{ enabled: boolean }>>()[0], { enabled: false }, 'a write is seen at once')
})

void t.test('a queue app that fails', async t => {
  await t.test('is 503 with Retry-After when a datastore is out of reach', async t => {
    for (const code of ['BROKER_UNAVAILABLE', 'BACKEND_UNAVAILABLE', 'NOT_STARTED', 'ALREADY_STOPPED'] as ErrorCode[]) {
      const app =
        await build(t, {}, failing(async () => { throw createTaskDashboardError(code, [], { cause: new Error('redis://user:secret@10.0.0.1') }) }))
      for (const [method, url] of CALLS) {
        const answer = await app.inject({ method, url, ...payloadOf(method) })
        t.match(answer.json(), { status: 503, code }, `${method} ${url}`)
        t.match(answer.headers, { 'retry-after': /^\d+$/, 'content-type': /problem/, 'content-security-policy': /./ })
        t.notMatch(answer.body, /secret|10\.0/)
      }
    }
  })

  await t.test('is 503 in seconds when it does not answer at all: it never hangs', async t => {
    const app = await build(t, {}, failing(() => new Promise<never>(() => {}), { health: () => new Promise<never>(() => {}) }))
    const answers = await inTime(t, 'all answers', 9000, () =>
      Promise.all(CALLS.map(([method, url]) => app.inject({ method, url, ...payloadOf(method) }))))
    const health = await inTime(t, 'health', 2500, async () => app.inject('/tasks/api/health'))
    for (const [index, answer] of answers.entries()) {
      const isWrite = CALLS[index]![0] !== 'GET'
      t.match(answer.json(), { status: 503, code: isWrite ? 'UNCONFIRMED' : 'NO_ANSWER' }, 'a write may have happened, and says so')
    }
    t.match(health.json(), { healthy: false, status: 'unhealthy', components: { broker: { healthy: false } } })
    t.equal(health.statusCode, 503)
    t.match(health.headers['retry-after'], /^\d+$/)
  })

  await t.test('is 500 without a word of the error, which the log has under the request id', async t => {
    const lines: string[] = []
    const app = Fastify({ logger: { level: 'error', stream: { write: (line: string) => { lines.push(line) } } } })
    const queueApp =
      sampleQueueApp(failing(async () => { throw Object.assign(new Error('secret at postgres://10.0.0.1'), { code: '22P05' }) }))
    await app.register(dashboardPlugin, { prefix: '/tasks', queueApp })
    for (const [method, url] of CALLS) {
      const answer = await app.inject({ method, url, ...payloadOf(method) })
      t.match(answer.json(), { status: 500, code: 'INTERNAL', request_id: /./ }, `${method} ${url}`)
      t.notMatch(answer.body, /secret|postgres|22P05|\.ts/)
      const logged = lines.map(line => JSON.parse(line) as { reqId: string; err?: { message: string } })
      const line = logged.find(({ reqId }) => reqId === answer.json<{ request_id: string }>().request_id)
      t.match(line?.err?.message, /secret/)
    }
  })
})

void t.test('every answer has our headers and none lets other origins in', async t => {
  // In local mode a foreign Origin is refused before there is anything to answer.
  const app = await build(t, { access: 'host' })
  for (const url of ['/tasks', '/tasks/api/stats', '/tasks/api/none', '/tasks/api/tasks/none', '/tasks/api/executions?limit=x']) {
    const { headers } = await app.inject({ url, headers: { origin: 'https://evil.example' } })
    t.match(headers, { 'content-security-policy': /default-src 'none'/, 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer', 'x-frame-options': 'DENY',
      'cross-origin-resource-policy': 'same-origin', 'cross-origin-opener-policy': 'same-origin' })
    t.match(headers['cache-control'], url === '/tasks' ? 'no-cache' : 'no-store')
    t.notOk(Object.keys(headers).some(name => name.startsWith('access-control')))
  }
})

void t.test('bad options are listed all at once', async t => {
  const bad = {
    queueApp: {}, auth: { username: 'a:b', password: '' }, access: 'host', authorize: () => true, readOnly: 'yes', title: '',
    environment: 'x'.repeat(41), publicPath: 'x', realm: 1
  }
  await t.rejects(async () => { await Fastify().register(dashboardPlugin, bad as unknown as DashboardOptions) }, {
    code: 'INVALID_OPTIONS',
    message:
      /queueApp.*auth\.password is empty.*realm is not an option.*auth\.username.*readOnly.*title.*environment.*publicPath.*access: "host" and auth.*access: "host" and authorize/
  })
  const unknown = { queueApp: sampleQueueApp(), access: 'none' } as unknown as DashboardOptions
  await t.rejects(async () => { await Fastify().register(dashboardPlugin, unknown) }, { code: 'INVALID_OPTIONS' })
})

void t.test('a route without its policy or documentation does not start', async t => {
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

const CALLS = [
  ['GET', '/tasks/api/stats'], ['GET', '/tasks/api/tasks'], ['GET', '/tasks/api/tasks/x'], ['GET', '/tasks/api/tasks/x/executions'],
  ['GET', '/tasks/api/executions'], ['GET', '/tasks/api/executions/x'],
  ['GET', '/tasks/api/schedules'], ['GET', '/tasks/api/schedules/x'], ['POST', '/tasks/api/schedules/cron'],
  ['PUT', '/tasks/api/schedules/x/enable'], ['PUT', '/tasks/api/schedules/x/disable'],
  ['DELETE', '/tasks/api/schedules/x'], ['PATCH', '/tasks/api/schedules/x'], ['POST', '/tasks/api/schedules/x/run'],
  ['GET', '/tasks/api/schedules/x/executions'],
  ['GET', '/tasks/api/schedules/x/misses'], ['GET', '/tasks/api/schedules/agenda'], ['GET', '/tasks/api/failures'],
  ['GET', '/tasks/api/timeseries'],
  ['GET', '/tasks/api/search/completions?search=a&position=1']
] as const

function payloadOf(method: string) {
  if (method === 'POST') return { payload: { task_name: 'email:send', cron: '* * * * *' } }
  return method === 'PATCH' ? { payload: { cron: '* * * * *' } } : {}
}

function nested(levels: number): string {
  return `{"task_name":"日報","cron":"* * * * *","args":${'['.repeat(levels)}${']'.repeat(levels)}}`
}

function failing(fail: () => Promise<never>, more: Partial<Monitoring> = {}): Instead {
  return {
    monitoring: {
      failureGroups: fail, timeseries: fail, searchCompletions: fail, prunedBefore: fail,
      statistics: fail, tasks: fail, task: fail,
      executions: fail, execution: fail, schedules: fail, schedule: fail, scheduleMisses: fail, scheduleAgenda: fail, ...more
    },
    operations: { createSchedule: fail, setScheduleEnabled: fail, deleteSchedule: fail, updateSchedule: fail, runSchedule: fail }
  }
}

type Instead = NonNullable<Parameters<typeof sampleQueueApp>[0]>

async function build(t: Test, options: Partial<DashboardOptions> = {}, instead: Instead = {}): Promise<FastifyInstance> {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(dashboardPlugin, { prefix: '/tasks', queueApp: sampleQueueApp(instead), ...options })
  return app
}

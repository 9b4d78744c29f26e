import { inspect } from 'node:util'
import Fastify, { type FastifyInstance, type InjectOptions, type RouteOptions } from 'fastify'
import basicAuth from '@fastify/basic-auth'
import { pino } from 'pino'
import t from 'tap'
import { createTaskDashboardError } from '../../../lib/errors.ts'
import { dashboardPlugin } from '../../../lib/dashboard/plugin.ts'
import { ACTIONS, isWrite, type Action } from '../../../lib/dashboard/actions.ts'
import { announceAccess } from '../../../lib/dashboard/access/announce-access.ts'
import { resolveOptions, type DashboardOptions } from '../../../lib/dashboard/options.ts'
import { sampleQueueApp } from '../sample-queue-app.ts'

interface KnownRoute { method: 'GET' | 'PUT' | 'POST' | 'DELETE' | 'PATCH'; url: string; action: Action }

const CREDENTIALS = { username: 'ops', password: 'sésame:1' }
const AUTHORIZATION = basic('ops', 'sésame:1')
const BODIES: Record<string, object> = {
  '/tasks/api/schedules/cron': { task_name: 'email:send', cron: '* * * * *' },
  '/tasks/api/schedules/interval': { task_name: 'email:send', interval_ms: 1000 },
  '/tasks/api/schedules/s-1': { description: 'Changed' }
}

void t.test('the route table has every action, and its writes are writes', async t => {
  const { routes } = await build({})
  t.strictSame([...new Set(routes.map(({ action }) => action))].sort(), [...ACTIONS].sort())
  for (const { method, url, action } of routes) {
    if (url.startsWith('/tasks/api/')) t.equal(isWrite(action), method !== 'GET', `${method} ${url} is ${action}`)
  }
})

void t.test('without access options', async t => {
  const { app, routes } = await build({})
  await t.test('a local request is answered, on every route', async t => {
    for (const route of routes) t.ok(isAnswered(await call(app, route)), label(route))
    for (const host of ['localhost', 'localhost:3000', '127.0.0.1:1', '[::1]:3000', 'LOCALHOST']) {
      t.equal((await call(app, routes[0]!, { headers: { host } })).statusCode, 200, host)
    }
    for (const remoteAddress of ['127.0.0.1', '127.1.2.3', '::1', '::ffff:127.0.0.1']) {
      t.equal((await call(app, routes[0]!, { remoteAddress })).statusCode, 200, remoteAddress)
    }
  })

  await t.test('any other is refused with the three ways on, on every route', async t => {
    for (const route of routes) {
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
    for (const disguise of disguises) t.equal((await call(app, routes[0]!, disguise)).statusCode, 403, JSON.stringify(disguise))
  })

  await t.test('no page of another site is answered, whatever the host\'s CORS says, but a link may open one of ours', async t => {
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
      for (const route of [page, routes[0]!])
        t.match(
          (await call(app, route, { headers: { host: 'localhost', ...headers } })).json(), { status: 403, code: 'NOT_LOCAL' },
          `${label(route)} ${JSON.stringify(headers)}`
        )
    }
    const write = routes.find(({ action }) => action === 'schedules:disable')!
    t.match(
      (await call(app, write, { headers: { 'sec-fetch-site': 'cross-site', ...opened } })).json(), { code: 'NOT_LOCAL' },
      'a form that is sent opens a page, too'
    )
  })

  await t.test('the address is the socket\'s, whatever the host trusts', async t => {
    const { app } = await build({}, Fastify({ trustProxy: true }))
    t.equal(
      (await call(app, routes[0]!, {
        remoteAddress: '192.0.2.7', headers: { 'x-forwarded-for': '127.0.0.1', host: 'localhost' }
      })).statusCode,
      403
    )
  })
})

void t.test('in production nobody is answered until access is configured, on no route', async t => {
  const environment = process.env['NODE_ENV']
  t.teardown(() => { if (environment === undefined) delete process.env['NODE_ENV']; else process.env['NODE_ENV'] = environment })
  process.env['NODE_ENV'] = 'production'
  const lines: Array<{ level: number; msg: string }> = []
  const logging = () =>
    Fastify({
      loggerInstance: pino({ level: 'warn' }, { write: line => { lines.push(JSON.parse(line) as typeof lines[0]) } }) as never
    }) as unknown as FastifyInstance
  const { app, routes } = await build({}, logging())
  t.match(
    lines.splice(0), [{ level: 40, msg: /answers nobody.*NODE_ENV is production.*auth, authorize or access/ }], 'it is said at the start'
  )
  for (const route of routes) {
    for (const remoteAddress of ['127.0.0.1', '192.0.2.7']) {
      t.match(
        (await call(app, route, { remoteAddress })).json(),
        { status: 403, code: 'ACCESS_NOT_CONFIGURED', detail: /auth: .*authorize\(.*access: "host".*access: "local"/ }, label(route)
      )
    }
  }
  for (const options of [{ access: 'local' }, { access: 'host' }, { auth: CREDENTIALS }, { authorize: () => true }] as const) {
    const { app, routes } = await build(options, logging())
    t.equal((await call(app, routes[0]!, { headers: { authorization: AUTHORIZATION } })).statusCode, 200, JSON.stringify(options))
    t.equal(
      (await call(app, routes[0]!, { headers: { authorization: AUTHORIZATION }, remoteAddress: '192.0.2.7' })).statusCode,
      'access' in options && options.access === 'local' ? 403 : 200
    )
  }
  t.same(lines, [], 'who chose is not warned')
  process.env['NODE_ENV'] = 'staging'
  await build({}, logging())
  t.match(lines, [{ level: 40, msg: /answers local requests alone/ }])
})

void t.test('an access option that is there without a value is refused: no door stands open because a variable is not set', async t => {
  const queueApp = sampleQueueApp()
  for (const value of [undefined, null, '']) {
    for (const name of ['auth', 'authorize', 'access', 'readOnly', 'prefix']) {
      if (name === 'prefix' && value === '') continue
      const options = { queueApp, authorize: () => true, [name]: value } as unknown as DashboardOptions
      t.throws(
        () => resolveOptions(options),
        { code: 'INVALID_OPTIONS', message: new RegExp(`^Invalid options: ${name} is ${value === '' ? 'empty' : value}, .*leave it out`) },
        `${name}: ${value}`
      )
    }
    const auth = { username: value, password: value } as unknown as NonNullable<DashboardOptions['auth']>
    const message = /^Invalid options: auth\.username is [a-z]+, [^;]*: give it a value; auth\.password is [a-z]+, [^;]*: give it a value$/
    t.throws(() => resolveOptions({ queueApp, auth }), { code: 'INVALID_OPTIONS', message })
  }
  const harmless = {
    title: undefined, environment: undefined, publicPath: undefined, trustForwarded: undefined, interfaceFolder: undefined, tags: undefined
  }
  t.match(resolveOptions({ queueApp, ...harmless } as unknown as DashboardOptions), { title: 'Tasks', trustForwarded: false, prefix: '' })
  t.match(resolveOptions({ queueApp, auth: { ...CREDENTIALS, realm: undefined } as never }).auth, { realm: 'Task dashboard' })
  t.match(resolveOptions({ queueApp, prefix: '' }), { prefix: '' })
})

void t.test('where the host has no log, that access is not configured is a warning of the process, once', async t => {
  const warnings: Error[] = []
  const listen = (warning: Error & { code?: string }): void => { if (warning.code === 'ACCESS_NOT_CONFIGURED') warnings.push(warning) }
  process.on('warning', listen)
  t.teardown(() => { process.off('warning', listen) })
  announceAccess(resolveOptions({ queueApp: sampleQueueApp() }, 'production'), Fastify().log)
  announceAccess(resolveOptions({ queueApp: sampleQueueApp() }, 'production'), Fastify().log)
  await new Promise(setImmediate)
  t.match(warnings, [{ name: 'TaskDashboardWarning', message: /answers nobody/ }])
  t.equal(warnings.length, 1)
})

void t.test('access: local holds beside auth and authorize', async t => {
  const { app, routes } = await build({ access: 'local', auth: CREDENTIALS, authorize: (_request, action) => action === 'stats:view' })
  const stats = routes.find(({ action }) => action === 'stats:view')!
  const health = routes.find(({ action }) => action === 'health:view')!
  const headers = { authorization: AUTHORIZATION }
  t.equal((await call(app, stats, { headers })).statusCode, 200)
  t.equal((await call(app, health, { headers })).statusCode, 403)
  t.equal((await call(app, stats)).statusCode, 401)
  t.match((await call(app, stats, { headers, remoteAddress: '192.0.2.7' })).json(), { code: 'NOT_LOCAL' })
  await t.rejects(build({ access: 'hots' as 'host' }), { code: 'INVALID_OPTIONS', message: /access must be "host" or "local"/ })
})

void t.test('with auth', async t => {
  const { app, routes } = await build({ auth: CREDENTIALS })
  await t.test('the right name and password are answered from anywhere, on every route', async t => {
    for (const route of routes)
      t.ok(
        isAnswered(await call(app, route, { remoteAddress: '192.0.2.7', headers: { host: 'example.org', authorization: AUTHORIZATION } })),
        label(route)
      )
    t.equal(
      (await call(app, {
        method: 'GET', url: '/tasks/api/session', action: 'session:view'
      }, { headers: { authorization: AUTHORIZATION } })).json<{ user: string }>().user,
      'ops'
    )
  })
  await t.test('others get 401 with a challenge and a detail, on every route and below the mount', async t => {
    const nowhere: KnownRoute = { method: 'GET', url: '/tasks/api/nowhere', action: 'ui:view' }
    for (const route of [...routes, nowhere]) {
      const answer = await call(app, route)
      t.equal(answer.statusCode, 401, label(route))
      t.match(answer.headers['www-authenticate'], /^Basic realm="Task dashboard"/)
      t.match(answer.json(), { status: 401, code: 'UNAUTHENTICATED', detail: /Sign in/ })
    }
    const wrong = [
      basic('ops', 'x'), basic('x', 'sésame:1'), basic('', ''), basic('ops', ''), basic('OPS', 'sésame:1'), basic('ops', 'sésame:1 '),
      'Basic', 'Basic !!', 'Bearer x', basic('ops\0', 'sésame:1')
    ]
    for (const authorization of wrong) t.equal((await call(app, routes[0]!, { headers: { authorization } })).statusCode, 401, authorization)
  })
})

void t.test('with authorize', async t => {
  await t.test('a decision that fails opens nothing, whatever it throws or rejects with', async t => {
    let fail: () => unknown = () => true
    const { app, routes } = await build({ authorize: () => fail() as boolean })
    for (const reason of [undefined, null, 0, '', false, NaN, true, 'text', {}, new Error('x')]) {
      // eslint-disable-next-line @typescript-eslint/only-throw-error
      for (const authorize of [() => { throw reason }, async () => { throw reason }]) {
        fail = authorize
        for (const route of routes) t.ok((await call(app, route)).statusCode >= 400, `${inspect(reason)}: ${label(route)}`)
      }
    }
  })

  await t.test('each action is asked for with its resource, and answered where it is allowed', async t => {
    const asked: Array<[string, object]> = []
    const { app, routes } = await build({
      authorize: async (_request, action, resource) => { asked.push([action, resource]); return true }
    })
    for (const route of routes) {
      asked.length = 0
      t.ok(isAnswered(await call(app, route, { remoteAddress: '192.0.2.7' })), label(route))
      t.equal(asked[0]?.[0], route.action, label(route))
      if (route.url.includes('email')) t.strictSame(asked[0]?.[1], { taskName: 'email:send' })
      else if (route.method === 'POST' && !route.url.includes('s-1')) t.strictSame(asked[0]?.[1], { taskName: 'email:send' })
      else if (/\/s-1/.test(route.url)) t.strictSame(asked[0]?.[1], { scheduleId: 's-1' })
      else if (/\/e-1/.test(route.url)) t.strictSame(asked[0]?.[1], { executionId: 'e-1' })
      else t.strictSame(asked[0]?.[1], {}, label(route))
    }
  })
  await t.test('each is refused by name where it is not', async t => {
    for (const denial of [false, undefined, 1, 'true', null]) {
      const { app, routes } = await build({ authorize: () => denial as boolean })
      for (const route of routes) {
        const answer = await call(app, route)
        t.equal(answer.statusCode, 403, label(route))
        t.match(answer.json(), { code: 'FORBIDDEN', detail: route.action })
      }
    }
  })
  await t.test('an authorize that throws denies and tells nothing but the status of a refusal; the log has the ' +
    'reason under the request id', async t => {
    const lines: string[] = []
    let reason: unknown
    const host = Fastify({
      loggerInstance: pino({ level: 'error' }, { write: line => { lines.push(line) } }) as never
    }) as unknown as FastifyInstance
    const { app, routes } = await build({ authorize: () => { throw reason } }, host)
    for (const [thrown, status, code] of [
      [new Error('secret policy'), 500, 'AUTHORIZE_FAILED'],
      [Object.assign(new Error('secret policy'), { statusCode: 503 }), 500, 'AUTHORIZE_FAILED'],
      [Object.assign(new Error('secret policy'), { statusCode: 401 }), 401, 'HTTP_401'],
      [createTaskDashboardError('TASK_NOT_FOUND', ['secret']), 404, 'HTTP_404']
    ] as const) {
      reason = thrown
      lines.length = 0
      const answer = await call(app, routes[0]!)
      const problem = answer.json<{ request_id?: string }>()
      t.match(problem, { status, code })
      t.notMatch(answer.body, /secret/)
      if (status === 500)
        t.match(lines.map(line => JSON.parse(line) as object), [{ reqId: problem.request_id, err: { message: 'secret policy' } }])
    }
  })
  await t.test('a session leaves out what cannot be decided, and is answered', async t => {
    const { app } = await build({ authorize: (_request, action) => { if (action === 'schedules:run') throw new Error('x'); return true } })
    t.strictSame(
      (await app.inject('/tasks/api/session')).json<{ actions: string[] }>().actions, ACTIONS.filter(action => action !== 'schedules:run')
    )
    t.equal((await app.inject('/tasks/')).statusCode, 200)
  })
  await t.test('a task or schedule that the query names is in the resource', async t => {
    const { app } = await build({
      authorize: (_request, _action, { taskName, scheduleId }) => taskName !== 'payroll/secret' && scheduleId !== 's-1'
    })
    for (const path of ['executions', 'failures', 'timeseries', 'schedules']) {
      t.equal((await app.inject(`/tasks/api/${path}?task_name=payroll%2Fsecret`)).statusCode, 403, path)
      t.equal((await app.inject(`/tasks/api/${path}?task_name=email%3Asend`)).statusCode, 200, path)
    }
    for (const path of ['executions', 'tasks/email%3Asend/executions'])
      t.equal((await app.inject(`/tasks/api/${path}?schedule_id=s-1`)).statusCode, 403, path)
  })
  await t.test('a task, schedule or execution that a search names is in the resource', async t => {
    const asked: object[] = []
    const { app } = await build({
      authorize: (_request, _action, resource) => { asked.push(resource); return resource.taskName !== 'payroll' }
    })
    const ask = async (path: string, search: string) => {
      asked.length = 0
      return (await app.inject(`/tasks/api/${path}${path.includes('?') ? '&' : '?'}search=${encodeURIComponent(search)}`)).statusCode
    }
    const lists = ['executions', 'tasks/email%3Asend/executions', 'schedules/s-1/executions', 'executions?task_name=email%3Asend']
    for (const path of lists) {
      for (const search of [
        'task:payroll', 'TASK:payroll', 'task:"payroll"', 'status:failed task:payroll took:>5s', 'a task:email:send task:payroll',
        'task:payroll task:email:send', 'task:"p\\"q" task:payroll', '\u3000task:payroll'
      ]) {
        t.equal(await ask(path, search), 403, `${path}: ${search}`)
      }
    }
    const named: Array<[path: string, search: string, resources: object[]]> = [
      ['executions', 'task:email:send', [{ taskName: 'email:send' }]],
      ['executions', 'payroll "task:payroll" args.task:payroll error:payroll worker:payroll group:payroll', [{}]],
      ['executions', 'schedule:s-1 id:e-1 task:email:send', [{ taskName: 'email:send', scheduleId: 's-1', executionId: 'e-1' }]],
      [
        'executions?schedule_id=s-1', 'schedule:s-2 id:e-1',
        [{ scheduleId: 's-1', executionId: 'e-1' }, { scheduleId: 's-2', executionId: 'e-1' }]
      ],
      [
        'tasks/email%3Asend/executions', 'task:other task:third schedule:"a b"',
        ['email:send', 'other', 'third'].map(taskName => ({ taskName, scheduleId: 'a b' }))
      ],
      ['schedules/s-1/executions', 'task:email:send id:"\\\\\\""', [{ taskName: 'email:send', scheduleId: 's-1', executionId: '\\"' }]],
      // Part of an id, a task or a cron expression, over all schedules; and what is only begun.
      ['schedules', 'task:payroll', [{}]],
      ['search/completions?position=3', 'task:payroll', [{}]]
    ]
    for (const [path, search, resources] of named) {
      t.equal(await ask(path, search), 200, `${path}: ${search}`)
      t.strictSame(asked, resources, `${path}: ${search}`)
    }
  })
  await t.test('what a search may not hold is refused, and asks nobody for thousands of names', async t => {
    let asked = 0
    const { app } = await build({ authorize: () => { asked++; return true } })
    for (const search of [
      'id:x '.repeat(90) + Array.from({ length: 60 }, (_, index) => `id:${index}`).join(' '),
      Array.from({ length: 900 }, (_, index) => `id:${index}`).join(' '), '-task:payroll', 'task:pay*', 'task:a OR task:payroll', 'task:',
      'task:"payroll'
    ]) {
      asked = 0
      t.equal((await app.inject(`/tasks/api/executions?search=${encodeURIComponent(search)}`)).statusCode, 400, search.slice(0, 40))
      t.ok(asked <= 20, `asked ${asked} times`)
    }
  })
  await t.test('a parameter that is there twice is refused, whatever the policy makes of it', async t => {
    const { app } = await build({ authorize: () => true })
    for (const path of [
      'executions', 'failures', 'timeseries', 'schedules', 'tasks/email%3Asend/executions', 'schedules/s-1/executions', 'stats',
      'executions/e-1'
    ]) {
      for (const query of [
        'task_name=a&task_name=payroll', 'task_name=payroll&task_name=payroll', 'search=a&search=task:payroll',
        'schedule_id=a&schedule_id=b', 'task_name[]=payroll', 'task_name=a&task%5Fname=payroll'
      ]) {
        t.match((await app.inject(`/tasks/api/${path}?${query}`)).json(), { status: 400, code: 'INVALID_INPUT' }, `${path}?${query}`)
      }
    }
  })
  await t.test('neither the words of the prefix nor its parameters are taken for names', async t => {
    for (const [prefix, below] of [
      ['/api/schedules/x', '/api/schedules/x'], ['/api/tasks', '/api/tasks'], ['/:id', '/acme'], ['/:name/tasks', '/acme/tasks'],
      ['/api/executions', '/api/executions']
    ] as const) {
      const asked: object[] = []
      const app = Fastify()
      t.teardown(() => app.close())
      const authorize: DashboardOptions['authorize'] = (_request, _action, resource) => { asked.push(resource); return true }
      await app.register(dashboardPlugin, { prefix, queueApp: sampleQueueApp(), authorize })
      const named: ReadonlyArray<[path: string, resource: object]> = [
        ['stats', {}], ['executions', {}], ['executions/e-1', { executionId: 'e-1' }], ['schedules/s-1', { scheduleId: 's-1' }],
        ['schedules/s-1/misses', { scheduleId: 's-1' }], ['tasks/email%3Asend/executions', { taskName: 'email:send' }]
      ]
      for (const [path, resource] of named) {
        asked.length = 0
        t.equal((await app.inject(`${below}/api/${path}`)).statusCode, 200, `${prefix}: ${path}`)
        t.strictSame(asked, [resource], `${prefix}: ${path}`)
      }
    }
  })
  await t.test('a page has the session in it only for those who may see it', async t => {
    const { app } = await build({ title: 'Ours', authorize: (_request, action) => action !== 'session:view' })
    const page = await app.inject('/tasks/')
    t.equal(page.statusCode, 200)
    t.match(page.body, '<title>Ours</title>')
    t.notMatch(page.body, /task-dashboard-session|schedules:view/)
  })
  await t.test('the session lists what is allowed', async t => {
    const { app } = await build({ authorize: (_request, action) => !action.startsWith('schedules:d') })
    const { actions } = (await app.inject('/tasks/api/session')).json<{ actions: string[] }>()
    t.strictSame(actions, ACTIONS.filter(action => !action.startsWith('schedules:d')))
  })
  await t.test('together with auth it is asked after the password was found right', async t => {
    let asked = 0
    const { app, routes } = await build({ auth: CREDENTIALS, authorize: () => { asked++; return false } })
    t.equal((await call(app, routes[0]!)).statusCode, 401)
    t.equal(asked, 0)
    t.equal((await call(app, routes[0]!, { headers: { authorization: AUTHORIZATION } })).statusCode, 403)
  })
})

void t.test('with access: host every route is answered, after the host\'s own guard', async t => {
  const host = Fastify()
  host.addHook('onRequest', async request => {
    if (request.headers['x-guard'] !== 'open') throw Object.assign(new Error('The host says no'), { statusCode: 401 })
  })
  const { app, routes } = await build({ access: 'host' }, host)
  for (const route of routes) {
    t.ok(isAnswered(await call(app, route, { remoteAddress: '192.0.2.7', headers: { 'x-guard': 'open' } })), label(route))
    const refused = await call(app, route)
    t.equal(refused.statusCode, 401, label(route))
    t.match(refused.json(), { status: 401, code: 'HTTP_401', detail: 'The server refused this request: Unauthorized' })
    t.notMatch(refused.body, 'The host says no')
    t.match(refused.headers, { 'cache-control': 'no-store', 'x-frame-options': 'DENY' })
  }
})

void t.test('readOnly refuses every write and nothing else', async t => {
  const { app, routes } = await build({ readOnly: true })
  for (const route of routes) {
    const answer = await call(app, route)
    if (isWrite(route.action)) t.match(answer.json(), { status: 403, code: 'READ_ONLY', detail: route.action }, label(route))
    else t.ok(isAnswered(answer), label(route))
  }
  const session = (await app.inject('/tasks/api/session')).json<{ actions: Action[]; read_only: boolean }>()
  t.equal(session.read_only, true)
  t.notOk(session.actions.some(isWrite))
})

void t.test('writes are taken from our own pages and from programs only', async t => {
  const { app, routes } = await build({ access: 'host' })
  const same: Array<Record<string, string>> = [{}, {
    'sec-fetch-site': 'same-origin'
  }, { origin: 'http://localhost:80' }, { origin: 'https://localhost:8443', host: 'localhost:8443' },
  { 'sec-fetch-site': 'same-origin', origin: 'https://proxy.example' }]
  const cross: Array<Record<string, string>> = [...[
    'cross-site', 'same-site', 'none', ''
  ].map(site => ({ 'sec-fetch-site': site })), { origin: 'https://evil.example' }, { origin: 'null' },
  { origin: 'http://localhost:81' }, { origin: 'http://localhost.evil.example' },
  { 'sec-fetch-site': 'cross-site', origin: 'http://localhost' }]
  for (const route of routes.filter(({ action }) => isWrite(action))) {
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
    'reading needs no such thing'
  )
})

void t.test('a host\'s own basic auth and a second dashboard keep their own passwords', async t => {
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

/** A dashboard and its route table, as Fastify has it: a route that is added and forgotten here is checked all the same. */
async function build(options: Omit<DashboardOptions, 'queueApp'>, app: FastifyInstance = Fastify()) {
  const routes: KnownRoute[] = []
  app.addHook('onRoute', (route: RouteOptions) => {
    const { action, parameter, followedBy } = (route.config ?? {}) as { action?: Action; parameter?: string; followedBy?: string }
    for (const method of [route.method].flat() as Array<KnownRoute['method']>) {
      // Wildcards without a parameter are the pages and what answers unknown addresses.
      if (!action || !['GET', 'POST', 'PUT', 'DELETE', 'PATCH'].includes(method) || (route.url.endsWith('*') && !parameter) ||
        route.url === '/tasks/api' || (method !== 'GET' && !route.url.includes('/api')))
        continue
      const sample = route.url.includes('/tasks/api/tasks') ? 'email%3Asend' : route.url.includes('api/executions') ? 'e-1' : 's-1'
      routes.push({ method, url: route.url.replace('*', sample) + (followedBy ? `/${followedBy}` : '') + queryOf(route.url), action })
    }
  })
  await app.register(dashboardPlugin, { prefix: '/tasks', queueApp: sampleQueueApp(), ...options })
  t.teardown(() => app.close())
  if (routes.length < 18) throw new Error('The route table was not seen')
  // What is deleted cannot be enabled afterwards.
  return { app, routes: routes.sort((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE')) }
}

function call(app: FastifyInstance, { method, url }: KnownRoute, options: InjectOptions = {}) {
  const payload = method === 'GET' ? undefined : BODIES[url]
  return app.inject({ method, url, ...(payload && { payload }), ...options })
}

/** Let through, whatever came of it. */
function isAnswered({ statusCode }: { statusCode: number }): boolean {
  return [200, 201, 202, 404].includes(statusCode)
}

function label({ method, url, action }: KnownRoute): string {
  return `${method} ${url} (${action})`
}

function basic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
}

/** Where a query is needed. */
function queryOf(url: string): string {
  if (url.endsWith('/preview')) return '?cron=*+*+*+*+*'
  return url.endsWith('/completions') ? '?search=a&position=1' : ''
}

import { inspect } from 'node:util'
import Fastify, { type FastifyInstance } from 'fastify'
import { pino } from 'pino'
import t from 'tap'
import { createTaskDashboardError } from '../../../lib/errors.ts'
import { dashboardPlugin } from '../../../lib/dashboard/plugin.ts'
import { ACTIONS } from '../../../lib/dashboard/actions.ts'
import type { DashboardOptions } from '../../../lib/dashboard/options.ts'
import { sampleQueueApp } from '../sample-queue-app.ts'
import { AUTHORIZATION, build, call, CREDENTIALS, isAnswered, label, ROUTES } from './known-routes.ts'

void t.test('authorize decides about every route', async t => {
  await t.test('an authorize that throws or rejects grants nothing, whatever it throws', async t => {
    let fail: () => unknown = () => true
    const { app } = await build(t, { authorize: () => fail() as boolean })
    for (const reason of [undefined, null, 0, '', false, NaN, true, 'text', {}, new Error('x')]) {
      // oxlint-disable-next-line typescript/only-throw-error
      for (const authorize of [() => { throw reason }, async () => { throw reason }]) {
        fail = authorize
        for (const route of ROUTES) t.ok((await call(app, route)).statusCode >= 400, `${inspect(reason)}: ${label(route)}`)
      }
    }
  })

  await t.test('authorize receives each action with its resource, and the route is open if it returns true', async t => {
    const asked: Array<[string, object]> = []
    const { app } = await build(t, {
      authorize: async (_request, action, resource) => { asked.push([action, resource]); return true }
    })
    for (const route of ROUTES) {
      asked.length = 0
      t.ok(isAnswered(await call(app, route, { remoteAddress: '192.0.2.7' })), label(route))
      t.strictSame(asked[0], [route.action, route.resource], label(route))
    }
  })
  await t.test('a refusal names the action', async t => {
    for (const denial of [false, undefined, 1, 'true', null]) {
      const { app } = await build(t, { authorize: () => denial as boolean })
      for (const route of ROUTES) {
        const answer = await call(app, route)
        t.equal(answer.statusCode, 403, label(route))
        t.match(answer.json(), { code: 'FORBIDDEN', detail: route.action })
      }
    }
  })
  await t.test('an authorize that throws denies access, the answer has only a status, and the log has the ' +
    'reason under the request id', async t => {
    const lines: string[] = []
    let reason: unknown
    const host = Fastify({
      loggerInstance: pino({ level: 'error' }, { write: line => { lines.push(line) } }) as never
    }) as unknown as FastifyInstance
    const { app } = await build(t, { authorize: () => { throw reason } }, host)
    for (const [thrown, status, code] of [
      [new Error('secret policy'), 500, 'AUTHORIZE_FAILED'],
      [Object.assign(new Error('secret policy'), { statusCode: 503 }), 500, 'AUTHORIZE_FAILED'],
      [Object.assign(new Error('secret policy'), { statusCode: 401 }), 401, 'HTTP_401'],
      [createTaskDashboardError('TASK_NOT_FOUND', ['secret']), 404, 'HTTP_404']
    ] as const) {
      reason = thrown
      lines.length = 0
      const answer = await call(app, ROUTES[0]!)
      const problem = answer.json<{ request_id?: string }>()
      t.match(problem, { status, code })
      t.notMatch(answer.body, /secret/)
      if (status === 500)
        t.match(lines.map(line => JSON.parse(line) as object), [{ reqId: problem.request_id, err: { message: 'secret policy' } }])
    }
  })
  await t.test('the session omits actions for which authorize throws', async t => {
    const { app } = await build(t, {
      authorize: (_request, action) => { if (action === 'schedules:run') throw new Error('x'); return true }
    })
    t.strictSame(
      (await app.inject('/tasks/api/session')).json<{ actions: string[] }>().actions, ACTIONS.filter(action => action !== 'schedules:run')
    )
    t.equal((await app.inject('/tasks/')).statusCode, 200)
  })
  await t.test('the resource includes a task or schedule named by the query', async t => {
    const { app } = await build(t, {
      authorize: (_request, _action, { taskName, scheduleId }) => taskName !== 'payroll/secret' && scheduleId !== 's-1'
    })
    for (const path of ['executions', 'failures', 'timeseries', 'schedules']) {
      t.equal((await app.inject(`/tasks/api/${path}?task_name=payroll%2Fsecret`)).statusCode, 403, path)
      t.equal((await app.inject(`/tasks/api/${path}?task_name=email%3Asend`)).statusCode, 200, path)
    }
    for (const path of ['executions', 'tasks/email%3Asend/executions'])
      t.equal((await app.inject(`/tasks/api/${path}?schedule_id=s-1`)).statusCode, 403, path)
  })
  await t.test('the resource includes a task, schedule or execution named by a search', async t => {
    const asked: object[] = []
    const { app } = await build(t, {
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
      // Schedule searches match parts of ids, tasks and cron expressions. Completions get an unfinished search. Neither names a resource.
      ['schedules', 'task:payroll', [{}]],
      ['search/completions?position=3', 'task:payroll', [{}]]
    ]
    for (const [path, search, resources] of named) {
      t.equal(await ask(path, search), 200, `${path}: ${search}`)
      t.strictSame(asked, resources, `${path}: ${search}`)
    }
  })
  await t.test('an invalid search is refused without asking authorize about thousands of names', async t => {
    let asked = 0
    const { app } = await build(t, { authorize: () => { asked++; return true } })
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
  await t.test('a repeated parameter is refused, whatever authorize says', async t => {
    const { app } = await build(t, { authorize: () => true })
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
  await t.test('words and parameters in the prefix are not mistaken for names', async t => {
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
  await t.test('a page contains the session only for users who may see it', async t => {
    const { app } = await build(t, { title: 'Ours', authorize: (_request, action) => action !== 'session:view' })
    const page = await app.inject('/tasks/')
    t.equal(page.statusCode, 200)
    t.match(page.body, '<title>Ours</title>')
    t.notMatch(page.body, /task-dashboard-session|schedules:view/)
  })
  await t.test('the session lists the allowed actions', async t => {
    const { app } = await build(t, { authorize: (_request, action) => !action.startsWith('schedules:d') })
    const { actions } = (await app.inject('/tasks/api/session')).json<{ actions: string[] }>()
    t.strictSame(actions, ACTIONS.filter(action => !action.startsWith('schedules:d')))
  })
  await t.test('with auth as well, authorize is asked only after the right password', async t => {
    let asked = 0
    const { app } = await build(t, { auth: CREDENTIALS, authorize: () => { asked++; return false } })
    t.equal((await call(app, ROUTES[0]!)).statusCode, 401)
    t.equal(asked, 0)
    t.equal((await call(app, ROUTES[0]!, { headers: { authorization: AUTHORIZATION } })).statusCode, 403)
  })
})

import Fastify from 'fastify'
import t from 'tap'
import { isWrite } from '../../../lib/dashboard/actions.ts'
import type { AccessResource, Authorize, DashboardOptions } from '../../../lib/dashboard/options.ts'
import { dashboardPlugin } from '../../../lib/dashboard/plugin.ts'
import { createTaskDashboardError } from '../../../lib/errors.ts'
import type { Monitoring } from '../../../lib/queue-app/monitoring/monitoring.ts'
import { createScope } from '../../../lib/queue-app/scope/scope.ts'
import { sampleQueueApp } from '../sample-queue-app.ts'
import { build, call, isAnswered, label, ROUTES } from './known-routes.ts'

/** Writes to an execution, schedule or failure group, whose requests do not name the task. */
const BY_ID = ROUTES.filter(({ action, resource }) =>
  isWrite(action) && ['executionId', 'scheduleId', 'errorGroup'].some(name => name in resource))

/** The policy of a team that may act only on one task. */
function onlyTask(wanted: string, asked: AccessResource[] = []): Authorize {
  return (_request, _action, resource) => {
    asked.push(resource)
    return resource.taskName === undefined || resource.taskName === wanted
  }
}

async function serve(monitoring: Partial<Monitoring>, options: Partial<DashboardOptions>) {
  const app = Fastify()
  t.teardown(() => app.close())
  const queueApp = sampleQueueApp({ monitoring })
  const within = (sees: (taskName: string) => boolean) => {
    const { task, execution, schedule } = queueApp.monitoring
    const { sees: isSeen } = createScope(sees)
    const seen = async <Found extends { readonly taskName: string }>(found: Promise<Found | null>): Promise<Found | null> => {
      const each = await found
      return each !== null && isSeen(each.taskName) ? each : null
    }
    return {
      ...queueApp,
      monitoring: {
        ...queueApp.monitoring, task: async (name: string) => (isSeen(name) ? await task(name) : null),
        execution: (id: string) => seen(execution(id)), schedule: (id: string) => seen(schedule(id))
      }
    }
  }
  await app.register(dashboardPlugin, { prefix: '/tasks', queueApp: { ...queueApp, within }, ...options })
  return app
}

t.test('a write to an execution, schedule or failure group is authorized a second time, with its task', async t => {
  const asked: AccessResource[] = []
  const { app } = await build(t, { authorize: onlyTask('email:send', asked) })
  t.equal(BY_ID.length, 11)
  for (const route of BY_ID) {
    asked.length = 0
    t.ok(isAnswered(await call(app, route)), label(route))
    t.strictSame(asked, [route.resource, { ...route.resource, taskName: 'email:send' }], label(route))
  }
})

t.test('users who may not act on its task are refused, and nothing changes', async t => {
  const { app } = await build(t, { authorize: onlyTask('reports/daily') })
  const schedule = async () => (await app.inject('/tasks/api/schedules/s-1')).body
  const before = await schedule()
  for (const route of BY_ID) t.match((await call(app, route)).json(), { status: 403, code: 'FORBIDDEN' }, label(route))
  t.equal(await schedule(), before)
})

t.test('a write to a group is authorized for each of its tasks', async t => {
  const failureGroups: Monitoring['failureGroups'] = async query => {
    const page = await sampleQueueApp().monitoring.failureGroups(query)
    return { ...page, groups: page.groups.map(group => ({ ...group, tasks: [...group.tasks, { taskName: 'reports/daily', count: 1 }] })) }
  }
  const asked: AccessResource[] = []
  const app = await serve({ failureGroups }, { authorize: onlyTask('email:send', asked) })
  t.equal((await app.inject({ method: 'PUT', url: '/tasks/api/failures/abc/resolve' })).statusCode, 403)
  t.strictSame(asked.slice(1).map(({ taskName }) => taskName), ['email:send', 'reports/daily'])
})

t.test('a write to a group that may occur in more tasks than it names is authorized for every known task', async t => {
  const failureGroups: Monitoring['failureGroups'] = async query => {
    const page = await sampleQueueApp().monitoring.failureGroups(query)
    const tasks = Array.from({ length: 20 }, (_, index) => ({ taskName: `task ${index}`, count: 1 }))
    return { ...page, groups: page.groups.map(group => ({ ...group, tasks })) }
  }
  const deny = (hidden: string): Authorize => (_request, _action, { taskName }) => taskName !== hidden
  const decide = async (authorize: Authorize) =>
    (await (await serve({ failureGroups }, { authorize })).inject({ method: 'PUT', url: '/tasks/api/failures/abc/resolve' })).statusCode
  t.equal(await decide(deny('task 3')), 403)
  t.equal(await decide(deny('reports/daily')), 403, 'a task that the group does not name')
  t.equal(await decide(() => true), 200)
})

t.test('no store is queried for a user who is refused anyway, and an unknown id is not authorized again', async t => {
  const read: string[] = []
  const execution: Monitoring['execution'] = async id => { read.push(id); return null }
  const refusing = await serve({ execution }, { authorize: () => false })
  t.equal((await refusing.inject({ method: 'POST', url: '/tasks/api/executions/e-1/retry' })).statusCode, 403)
  t.strictSame(read, [])
  const asked: AccessResource[] = []
  const allowing = await serve({ execution }, { authorize: onlyTask('email:send', asked) })
  t.not((await allowing.inject({ method: 'POST', url: '/tasks/api/executions/e-9/retry' })).statusCode, 403)
  t.strictSame(asked, [{ executionId: 'e-9' }], 'an unknown id has no task to authorize')
})

t.test('if the store cannot return the task, the write is refused', async t => {
  const execution: Monitoring['execution'] = async () => { throw createTaskDashboardError('BACKEND_UNAVAILABLE', ['x']) }
  const app = await serve({ execution }, { authorize: () => true })
  const answer = await app.inject({ method: 'POST', url: '/tasks/api/executions/e-1/retry' })
  t.match(answer.json(), { status: 503, code: 'BACKEND_UNAVAILABLE' })
})

t.test('an id that a scope hides gets the same response as a made-up id', async t => {
  const asked: AccessResource[] = []
  const app = await serve({}, { authorize: onlyTask('reports/daily', asked), scope: () => name => name === 'reports/daily' })
  const remove = async (id: string) => (await app.inject({ method: 'DELETE', url: `/tasks/api/executions/${id}` })).statusCode
  t.equal(await remove('e-1'), await remove('e-9'))
  t.strictSame(asked, [{ executionId: 'e-1' }, { executionId: 'e-9' }], 'the policy is not asked about the hidden task')
})

t.test('the session lists the actions that are allowed for one task', async t => {
  const app = await serve({}, {
    authorize: (_request, action, { taskName }) => action !== 'executions:retry' || taskName !== 'email:send',
    scope: () => name => name !== 'reports/daily'
  })
  const session = async (query: string) =>
    (await app.inject(`/tasks/api/session${query}`)).json<{ actions: string[]; varies_by_task: boolean }>()
  const general = await session('')
  t.ok(general.varies_by_task)
  t.ok(general.actions.includes('executions:retry'))
  t.strictSame((await session('?task_name=email%3Asend')).actions, general.actions.filter(action => action !== 'executions:retry'))
  t.strictSame((await session('?task_name=reports%2Fdaily')).actions, [], 'the scope hides this task')
  t.strictSame((await session('?task_name=made-up')).actions, [], 'a made-up name looks the same')
  const closed = await serve({}, { authorize: onlyTask('reports/daily') })
  t.match((await closed.inject('/tasks/api/session?task_name=email%3Asend')).json(), { actions: [], read_only: false },
    'a user without rights to the task gets an empty list, not a refusal')
  const open = await serve({}, { access: 'local' })
  t.notOk((await open.inject('/tasks/api/session')).json<{ varies_by_task: boolean }>().varies_by_task)
})

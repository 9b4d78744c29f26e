import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { createTaskDashboardClient, type Problem, type TaskDashboardClient } from '../../lib/client/index.ts'
import { dashboardPlugin } from '../../lib/dashboard/plugin.ts'
import type { DashboardOptions } from '../../lib/dashboard/options.ts'
import { EXECUTION_IDS, TASK_NAMES, sampleQueueApp } from '../dashboard/sample-queue-app.ts'

void t.test('the client reads and writes everything the API offers, over HTTP', async t => {
  const { baseUrl } = await listen(t)
  const client = createTaskDashboardClient({ baseUrl: `${baseUrl}/` })
  t.equal((await client.GET('/api/stats')).data?.total_tasks, 1000)
  for (const name of TASK_NAMES) t.equal((await client.GET('/api/tasks/{name}', { params: { path: { name } } })).data?.name, name)
  for (const id of EXECUTION_IDS) t.equal((await client.GET('/api/executions/{id}', { params: { path: { id } } })).data?.execution_id, id)
  t.equal((await client.GET('/api/executions', { params: { query: { status: 'failed', limit: 2 } } })).data?.items.length, 2)

  const created = await client.POST('/api/schedules/cron', { body: { task_name: '日報', cron: '0 9 * * *', args: [1] } })
  const id = created.data!.schedule_id
  t.equal((await client.PUT('/api/schedules/{id}/disable', { params: { path: { id } } })).data?.enabled, false)
  t.strictSame((await client.DELETE('/api/schedules/{id}', { params: { path: { id } } })).data, { schedule_id: id, deleted: true })
})

void t.test('an error is a problem document with its code', async t => {
  const { baseUrl } = await listen(t)
  const client = createTaskDashboardClient({ baseUrl })
  const { data, error, response } = await client.GET('/api/tasks/{name}', { params: { path: { name: 'none' } } })
  t.equal(data, undefined)
  t.equal(response.status, 404)
  const problem: Problem | undefined = error
  t.match(problem, { code: 'TASK_NOT_FOUND', status: 404, detail: /none/ })
  t.equal((await client.POST('/api/schedules/cron', { body: { task_name: '日報', cron: 'x' } })).error?.errors?.[0]?.pointer, '/cron')
})

void t.test('it signs in with a name and password in any script', async t => {
  const auth = { username: 'öps', password: 'пароль:🎉' }
  const { baseUrl } = await listen(t, { auth })
  t.equal((await createTaskDashboardClient({ baseUrl, ...auth }).GET('/api/session')).data?.user, 'öps')
  const refused = await createTaskDashboardClient({ baseUrl, username: 'öps', password: 'x' }).GET('/api/session')
  t.equal(refused.error?.code, 'UNAUTHENTICATED')
})

void t.test('custom headers and a custom fetch are used', async t => {
  const seen: Request[] = []
  const client = createTaskDashboardClient({
    baseUrl: 'http://dashboard.example/tasks',
    headers: { 'x-trace': '1' },
    fetch: async request => { seen.push(request); return Response.json([]) }
  })
  t.strictSame((await client.GET('/api/tasks')).data, [])
  t.equal(seen[0]?.url, 'http://dashboard.example/tasks/api/tasks')
  t.equal(seen[0]?.headers.get('x-trace'), '1')
})

/** Never called. The test is that it compiles. */
export async function typesAreKnown(client: TaskDashboardClient): Promise<void> {
  // @ts-expect-error there is no such address
  await client.GET('/api/nothing')
  // @ts-expect-error the name is missing
  await client.GET('/api/tasks/{name}')
  // @ts-expect-error there is no such status
  await client.GET('/api/executions', { params: { query: { status: 'done' } } })
  // @ts-expect-error there is no such parameter
  await client.GET('/api/executions', { params: { query: { state: 'failed' } } })
  // @ts-expect-error cron is missing
  await client.POST('/api/schedules/cron', { body: { task_name: 'x' } })
  // @ts-expect-error the priority is a number
  await client.POST('/api/schedules/cron', { body: { task_name: 'x', cron: '* * * * *', priority: '1' } })
  // @ts-expect-error schedules are not deleted by GET
  await client.GET('/api/schedules/{id}/enable', { params: { path: { id: 'x' } } })
  const { data, error } = await client.GET('/api/stats')
  // @ts-expect-error there may be no response
  const total: number = data.total_tasks
  // @ts-expect-error a problem has no such member
  const reason: string = error!.reason
  void [total, reason]
}

void t.test('a response from something other than the dashboard becomes a problem too, or a clear error', async t => {
  const answering = (body: string | null, init: ResponseInit) =>
    createTaskDashboardClient({ baseUrl: 'http://localhost/tasks', fetch: async () => new Response(body, init) })
  for (const [body, status, type] of [
    ['<html>502', 502, 'text/html'], ['', 503, null], [null, 504, 'text/plain'], ['no', 418, 'text/plain; charset=utf-8']
  ] as const) {
    const { data, error, response } = await answering(body, {
      status, headers: type === null ? {} : { 'content-type': type }
    }).GET('/api/stats')
    t.equal(data, undefined)
    t.match(error, { status, code: `HTTP_${status}`, instance: '/tasks/api/stats', detail: /answered instead/ })
    t.equal(response.status, status)
  }
  await t.rejects(
    answering('<html>Sign in', { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } }).GET('/api/stats'),
    { name: 'TypeError', message: /is an HTML page, .* check baseUrl/ }
  )
})

async function listen(t: Test, options: Partial<DashboardOptions> = {}): Promise<{ app: FastifyInstance; baseUrl: string }> {
  const app = Fastify()
  await app.register(dashboardPlugin, { prefix: '/tasks', queueApp: sampleQueueApp(), ...options })
  await app.listen({ host: '127.0.0.1', port: 0 })
  t.teardown(() => app.close())
  return { app, baseUrl: `${app.listeningOrigin}/tasks` }
}

import fastify from 'fastify'
import t from 'tap'
import { dashboardPlugin, QueueApp } from '../../../lib/index.ts'
import type { AuditPage } from '../../../schemas/audit.ts'
import type { ExecutionDetail } from '../../../schemas/execution.ts'
import type { Problem } from '../../../schemas/problem.ts'
import { onEveryStore } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'

const HOUR_MS = 3_600_000

t.test('priority and due time of a pending execution can be changed', t => onEveryStore(t, async (t, url) => {
  const queueApp = QueueApp.fromUrls({ broker: url, tasks: { nobody: {} } })
  const order: string[] = []
  let release = (): void => {}
  const released = new Promise<void>(resolve => { release = resolve })
  queueApp.task('job', async (name: string) => {
    order.push(name)
    if (name === 'first') await released
    if (name === 'fails') throw new Error('no connection')
  }, { concurrency: 1, retries: 1, retryDelay: 3_600 })
  await queueApp.start()
  const server = fastify()
  await server.register(dashboardPlugin, { prefix: '/tasks', queueApp, access: 'host' })
  t.teardown(async () => {
    release()
    await server.close()
    await queueApp.stop()
  })
  const read = async (id: string) => (await server.inject(`/tasks/api/executions/${id}`)).json<ExecutionDetail>()
  const change = (id: string, payload: object) => server.inject({ method: 'PATCH', url: `/tasks/api/executions/${id}`, payload })
  const stateOf = (id: string, state: string) => waitFor(`${id} to be ${state}`, async () => {
    const execution = await read(id)
    return execution.state === state && execution
  })

  const failing = await queueApp.enqueue('job', ['fails'])
  await stateOf(failing, 'retrying')
  const running = await queueApp.enqueue('job', ['first'])
  await stateOf(running, 'active')
  const slow = await queueApp.enqueue('job', ['slow'], { priority: 10 })
  const urgent = await queueApp.enqueue('job', ['urgent'], { priority: 20 })
  const later = await queueApp.enqueue('job', ['later'])
  const delayed = await queueApp.enqueue('job', ['delayed'], { delayMs: HOUR_MS })

  const raised = await change(urgent, { priority: 5 })
  t.match([raised.statusCode, raised.json()], [200, { execution_id: urgent, status: 'pending', priority: 5 }])
  const dueAt = new Date(Date.now() + 2 * HOUR_MS).toISOString()
  t.match((await change(later, { due_at: dueAt })).json(), { state: 'delayed', next_attempt_at: dueAt })
  t.match(await read(later), { status: 'pending', state: 'delayed', started_at: null })
  t.match((await change(delayed, { due_at: '2020-01-01T00:00:00Z', priority: 7 })).json(), { status: 'pending', priority: 7 })
  t.match((await change(failing, { due_at: dueAt })).json(), { state: 'retrying', next_attempt_at: dueAt })
  t.strictSame((await change(later, { due_at: dueAt })).json(), (await change(later, { due_at: dueAt })).json(), 'repeating it is safe')

  t.match((await change(running, { priority: 1 })).json<Problem>(), { status: 409, code: 'NOT_CHANGEABLE', detail: /active/ })
  t.match((await change('unknown', { priority: 1 })).json<Problem>(), { status: 404 })
  t.match((await change(slow, {})).json(), { state: 'prioritized', priority: 10 }, 'no change is none')
  t.match((await change(slow, { priority: -1 })).json<Problem>(), { status: 400, errors: [{ pointer: '/priority' }] })
  t.match((await change(slow, { due_at: '2999-01-01T00:00:00Z' })).json<Problem>(), { status: 400, errors: [{ pointer: '/due_at' }] })

  for (const dueAt of [-1.7e308, -(2 ** 63), NaN, 0.5])
    await t.rejects(queueApp.operations.updateExecution(later, { dueAt }), { code: 'INVALID_INPUT' }, `not at ${dueAt}`)
  const { items } = (await server.inject('/tasks/api/audit?outcome=done')).json<AuditPage>()
  const entriesOf = (id: string) => items.filter(({ resource }) => resource.execution_id === id)
  t.match(entriesOf(urgent), [{ before: { status: 'pending', state: 'prioritized', priority: 20 }, after: { priority: 5 } }])
  t.match(entriesOf(later).at(-1), { before: { state: 'waiting', priority: 0, next_attempt_at: null } })
  t.match(entriesOf(later)[0], { before: { state: 'delayed', next_attempt_at: dueAt } })
  const cancelled = await queueApp.enqueue('job', ['cancelled'], { priority: 3 })
  await server.inject({ method: 'POST', url: `/tasks/api/executions/${cancelled}/cancel` })
  const { items: [cancellation] } = (await server.inject('/tasks/api/audit?action=executions:cancel')).json<AuditPage>()
  t.strictSame(cancellation?.before, { task_name: 'job', status: 'pending', state: 'prioritized', priority: 3, next_attempt_at: null })

  release()
  for (const id of [slow, urgent, delayed]) await stateOf(id, 'completed')
  t.strictSame(order, ['fails', 'first', 'urgent', 'delayed', 'slow'])
  t.match((await change(slow, { priority: 1 })).json<Problem>(), { status: 409, code: 'NOT_CHANGEABLE', detail: /completed/ })
  t.equal((await read(later)).state, 'delayed')

  await change(failing, { due_at: new Date().toISOString() })
  t.match(await stateOf(failing, 'failed'), { attempt: 2 }, 'its retry came early')
}))

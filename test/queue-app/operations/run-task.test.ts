import fastify from 'fastify'
import t from 'tap'
import { dashboardPlugin, QueueApp } from '../../../lib/index.ts'
import type { ExecutionDetail } from '../../../schemas/execution.ts'
import type { Problem } from '../../../schemas/problem.ts'
import type { TaskRun } from '../../../schemas/task.ts'
import { onEveryStore } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'

t.test('a task runs from the dashboard', t => onEveryStore(t, async (t, url) => {
  const queueApp = QueueApp.fromUrls({ broker: url, tasks: { declared: {} } })
  queueApp.task('reports/daily', async (...args: unknown[]) => args)
  await queueApp.start()
  const server = fastify()
  await server.register(dashboardPlugin, { prefix: '/tasks', queueApp, access: 'host' })
  t.teardown(async () => {
    await server.close()
    await queueApp.stop()
  })
  const run = (name: string, payload?: object, headers: Record<string, string> = {}) => server.inject({
    method: 'POST', url: `/tasks/api/tasks/${encodeURIComponent(name)}/run`, headers, ...payload !== undefined && { payload }
  })
  const read = async (executionId: string) =>
    (await server.inject(`/tasks/api/executions/${executionId}`)).json<ExecutionDetail>()

  const answer = await run('reports/daily', { args: ['2026-11-20', null], priority: 3 })
  t.equal(answer.statusCode, 202)
  const { execution_id: executionId } = answer.json<TaskRun>()
  t.equal(answer.headers.location, `../../executions/${executionId}`)
  await waitFor('its success', async () => (await read(executionId)).status === 'success')
  t.match(await read(executionId), { args: ['2026-11-20', null], result: ['2026-11-20', null], priority: 3, retry_of: null })

  const bare = await run('reports/daily')
  t.equal(bare.statusCode, 202, 'the body may be left out')
  const delayed = (await run('declared', { delay_ms: 60_000 })).json<TaskRun>()
  t.match(await read(delayed.execution_id), { status: 'pending', state: 'delayed', args: [] }, 'a declared task waits for a process')

  const [first, second] = [await run('declared', {}, { 'idempotency-key': 'k' }), await run('declared', {}, { 'idempotency-key': 'k' })]
  t.strictSame(first.json(), second.json(), 'the same key enqueues once')

  t.match((await run('unknown')).json<Problem>(), { status: 404, code: 'TASK_NOT_FOUND' })
  t.match((await run('declared', { delay_ms: -1 })).json<Problem>(), { status: 400, errors: [{ pointer: '/delay_ms' }] })
  t.match((await run('declared', { priority: 2_097_152 })).json<Problem>(), { status: 400, errors: [{ pointer: '/priority' }] })
  t.match((await run('declared', { args: 'x' })).json<Problem>(), { status: 400, errors: [{ pointer: '/args' }] })
}))

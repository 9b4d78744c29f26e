import { v4, v7 } from 'uuid'
import Fastify from 'fastify'
import t from 'tap'
import { dashboardPlugin, QueueApp } from '../../../lib/index.ts'
import type { ResultBackend } from '../../../lib/backend/result-backend.ts'
import { createMonitoring, type MonitoringDependencies } from '../../../lib/queue-app/monitoring/create-monitoring.ts'
import type { ExecutionDetail, ExecutionPage, FailureGroupPage, Stats, Timeseries } from '../../../schemas/index.ts'
import { redisUrl } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'

t.test('a failed execution and its retry are found in every way over HTTP', async t => {
  const queueApp = QueueApp.fromUrls({ broker: await redisUrl(t) })
  const task = queueApp.task('orders/pay', async (order: { id: number }, isBroken: boolean) => {
    if (isBroken) throw new RangeError(`order ${order.id} has no address`)
  })
  const app = Fastify()
  await app.register(dashboardPlugin, { prefix: '/tasks', queueApp })
  t.teardown(async () => {
    await app.close()
    await queueApp.stop()
  })
  await queueApp.start()
  const get = async <Body>(path: string): Promise<Body> => {
    const answer = await app.inject(`/tasks/api/${path}`)
    if (answer.statusCode !== 200) throw new Error(answer.body)
    return answer.json<Body>()
  }

  const failed = await queueApp.enqueue(task, [{ id: 42 }, true])
  const repeated = await queueApp.enqueue(task, [{ id: 42 }, false], { retryOf: failed })
  const waiting = await queueApp.enqueue(task, [{ id: 42 }, false], { delayMs: 3_600_000 })
  await waitFor('both to be recorded', async () => (await get<Stats>('stats')).total_tasks === 2)

  const detail = await get<ExecutionDetail>(`executions/${repeated}`)
  t.match(detail, { status: 'success', retry_of: failed, retried_by: [] })
  t.strictSame(
    (await get<ExecutionDetail>(`executions/${failed}`)).retried_by,
    [{ execution_id: repeated, status: 'success', finished_at: detail.finished_at }]
  )
  const { error_group: group, worker_id: worker } = await get<ExecutionDetail>(`executions/${failed}`)
  const idsOf = async (query: string) => (await get<ExecutionPage>(`executions?${query}`)).items.map(one => one.execution_id).sort()
  t.same(await idsOf('search=args.id:42'), [failed, repeated, waiting].sort())
  t.same(await idsOf('search=args.id:42+status:pending'), [waiting])
  t.same(await idsOf('search=error:%22no+addr%22'), [failed])
  t.same(await idsOf(`error_group=${group}`), [failed])
  t.same(await idsOf(`search=group:${group}+status:success`), [])
  t.same(await idsOf(`worker_id=${encodeURIComponent(worker!)}`), [failed, repeated].sort())
  t.same(await idsOf(`search=id:${waiting}`), [waiting])
  t.same(await idsOf('min_duration_ms=0'), [failed, repeated].sort())
  t.same(await idsOf('min_duration_ms=60000'), [])
  t.match(await get('search/completions?search=task:ord&position=8'), { items: [{ text: /orders\/pay/ }] })
  const offered = async (search: string) =>
    (await get<{ items: Array<{ text: string }> }>(
      `search/completions?search=${encodeURIComponent(search)}&position=${search.length}`
    )).items.map(
      ({ text }) => text.replaceAll('"', '')
    )
  t.same(await offered(`worker:${worker!.slice(0, 3)}`), [worker])
  t.same(await offered(`status:failed group:${group!.slice(0, 2)}`), [group])
  const { scheduleId } = await queueApp.operations.createSchedule({
    taskName: 'orders/pay', timing: { cron: '0 0 1 1 *', timezone: 'UTC' }, enabled: false
  })
  t.same(await offered('schedule:'), [scheduleId])
  t.same(await offered('schedule:none'), [])

  const failures = await get<FailureGroupPage>('failures')
  t.match(failures, {
    items: [
      {
        error_group: group, type: 'RangeError', count: 1, is_new: true, tasks: [{ name: 'orders/pay', count: 1 }], last_execution_id: failed
      }
    ],
    total: { value: 1 }
  })
  t.equal(failures.items[0]!.trend.reduce((sum, count) => sum + count), 1)

  for (const window of ['15m', '7d', '1y']) {
    for (const query of [`window=${window}`, `window=${window}&task_name=orders%2Fpay`, `window=${window}&metric=duration_ms`]) {
      const { points } = await get<Timeseries>(`timeseries?${query}`)
      t.equal(points.reduce((sum, { success }) => sum + (success ?? 0), 0), 1, query)
      t.equal(points.reduce((sum, { failed }) => sum + (failed ?? 0), 0), 1, query)
    }
  }
  t.match((await get<Stats>('stats')).history, {
    success: { kept: 1, oldest_at: detail.finished_at }, failed: { kept: 1 }, pruned_before: null
  })
})

t.test('removalOf() names retention only for ids older than what retention removed', async t => {
  const prunedBefore = 1_700_000_000_000
  const monitoring = (at: number | null) => createMonitoring({
    backend: {
      supports: { search: 'indexed' }, kept: async () => ({ prunedBefore: at }), missing: async (ids: string[]) => ids
    } as unknown as ResultBackend,
    registry: {}, isStarted: () => true
  } as unknown as MonitoringDependencies)
  t.strictSame(await monitoring(prunedBefore).removalOf(v7({ msecs: prunedBefore })), { prunedBefore })
  t.strictSame(await monitoring(prunedBefore).removalOf(`repeat:daily:${prunedBefore - 1}`), { prunedBefore })
  for (const id of [v7({ msecs: prunedBefore + 1 }), `repeat:daily:${prunedBefore + 1}`, v4(), '17'])
    t.equal(await monitoring(prunedBefore).removalOf(id), null, id)
  t.equal(await monitoring(null).removalOf(v7({ msecs: 1 })), null)
})

import Fastify from 'fastify'
import t from 'tap'
import { dashboardPlugin, QueueApp } from '../../../lib/index.ts'
import type { Queue, Worker } from '../../../schemas/index.ts'
import { onEveryStore } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'

t.test('workers and queues are read over HTTP while executions run, wait and have finished', async t => {
  await onEveryStore(t, async (t, url) => {
    const queueApp = QueueApp.fromUrls({ broker: url, appName: 'shop', tasks: { declared: {} } })
    let finish = (): void => {}
    const finished = new Promise<void>(resolve => { finish = resolve })
    const rateLimit = { max: 100, durationMs: 60_000 }
    const slow = queueApp.task('orders/pay', async () => { await finished }, { concurrency: 2, rateLimit })
    const quick = queueApp.task('quick', async () => {}, { concurrency: 3 })
    const app = Fastify()
    await app.register(dashboardPlugin, { prefix: '/tasks', queueApp })
    t.teardown(async () => {
      finish()
      await app.close()
      await queueApp.stop()
    })
    const get = async <Body>(path: string): Promise<Body> => {
      const answer = await app.inject(`/tasks/api/${path}`)
      if (answer.statusCode !== 200) throw new Error(answer.body)
      return answer.json<Body>()
    }
    await queueApp.start()
    const ids = [await queueApp.enqueue(slow, []), await queueApp.enqueue(slow, []), await queueApp.enqueue(slow, [])]
    await queueApp.enqueue(quick, [])

    const queues = await waitFor('two to run, and one to have finished', async () => {
      const all = await get<Queue[]>('queues')
      return all.find(({ running }) => running === 2) && all.find(({ throughput_per_minute: rate }) => rate > 0) && all
    })
    t.match(queues, [
      { task_name: 'declared', name: 'declared', state: 'running', pending: 0, running: 0, workers: 0, concurrency: 0, utilisation: null },
      {
        task_name: 'orders/pay', name: 'orders%2fpay', state: 'running', pending: 1, running: 2, workers: 1, concurrency: 2,
        utilisation: 100, pause: null, rate_limit: { max: 100, duration_ms: 60_000 }, rate_limited_until: null, throughput_per_minute: 0
      },
      { task_name: 'quick', pending: 0, running: 0, workers: 1, concurrency: 3, utilisation: 0, oldest_pending_ms: null, rate_limit: null }
    ])
    t.ok(queues[1]!.oldest_pending_ms! >= 0)
    t.same(queues.map(({ trend }) => trend.length), [24, 24, 24])
    // The hour may have ended since.
    t.same(queues.map(({ trend }) => trend.slice(-2).reduce((sum, count) => sum + count)), [0, 0, 1])
    t.ok(queues[2]!.throughput_per_minute <= 1, `${queues[2]!.throughput_per_minute} a minute: one in a minute that has just begun`)

    // Heartbeats come every five seconds.
    const [worker, ...others] = await waitFor('the next heartbeat', async () => {
      const workers = await get<Worker[]>('workers')
      return workers[0]?.running === 2 && workers
    })
    t.same(others, [])
    t.match(worker, {
      state: 'alive', healthy: true, problems: [], pid: process.pid, app: 'shop', node_version: process.versions.node, task_count: 2,
      tasks: [{ name: 'orders/pay', concurrency: 2, running: 2 }, { name: 'quick', concurrency: 3, running: 0 }]
    })
    t.same(worker!.executions!.map(run => run.execution_id).sort(), ids.slice(0, 2).sort())
    for (const { execution_id: id, started_at: startedAt } of worker!.executions!)
      t.match(await get(`executions/${id}`), { worker_id: worker!.worker_id, started_at: startedAt, status: 'running' })
    t.ok(Date.parse(worker!.last_seen_at!) > Date.parse(worker!.started_at))

    finish()
    await queueApp.stop()
    // The embedded store allows one process at a time, so stop the first app and open the folder with a new one.
    const other = QueueApp.fromUrls({ broker: url })
    t.teardown(() => other.stop())
    await other.start()
    t.same(await other.monitoring.workers(), [], 'a process that stopped is gone at once')
  })
})

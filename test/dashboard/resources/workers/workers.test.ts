import t from 'tap'
import type { Queue, Worker } from '../../../../schemas/index.ts'
import { buildDashboard } from '../../build-dashboard.ts'
import { NOW, TASK_NAMES } from '../../sample-queue-app.ts'

t.test('the API shows a worker with null for everything that its version does not report', async t => {
  const app = await buildDashboard(t)
  const [worker, silent] = (await app.inject('/tasks/api/workers')).json<Worker[]>()
  t.strictSame(worker, {
    worker_id: 'host:1:ab', state: 'alive', healthy: true, problems: [], host: 'host', pid: 1, app: 'shop', version: '0.1.0',
    node_version: '22.0.0', started_at: new Date(NOW - 60_000).toISOString(), last_seen_at: new Date(NOW).toISOString(),
    task_count: TASK_NAMES.length, tasks: TASK_NAMES.map(name => ({ name, concurrency: 4, running: 0 })), running: 1,
    executions: [{ execution_id: '<i>', task_name: '</script>', started_at: new Date(NOW - 5).toISOString() }], memory_bytes: 64_000_000,
    clock_ahead_ms: -3.5
  })
  t.strictSame(silent, {
    ...worker, worker_id: 'host:2:cd', state: 'silent', healthy: false, problems: ['</script>'], host: null, pid: null, app: null,
    version: null, node_version: null, last_seen_at: null, task_count: 1, tasks: [{ name: 'email:send', concurrency: null, running: null }],
    running: null, executions: null, memory_bytes: null, clock_ahead_ms: null
  })
})

t.test('the API shows the utilisation of a queue relative to its live limit, and null unless its concurrency is known', async t => {
  const app = await buildDashboard(t)
  const [first, paused, unknown] = (await app.inject('/tasks/api/queues')).json<Queue[]>()
  t.strictSame(first, {
    name: 'q-0', task_name: 'email:send', changes: 'all', state: 'running', pause: null, pending: 3, running: 1, workers: 1,
    concurrency: 4,
    limits: { concurrency: 2, rate: { max: 5, duration_ms: 60_000 }, since: '2023-11-14T22:13:20.000Z', by: 'ada', reason: '</script>' },
    utilisation: 50, oldest_pending_ms: 1200, rate_limit: { max: 10, duration_ms: 60_000 }, rate_limited_until: null,
    throughput_per_minute: 0.5, trend: Array.from({ length: 24 }, (_, hour) => hour)
  })
  t.match(paused, {
    state: 'paused', concurrency: 0, utilisation: null,
    pause: { since: '2023-11-14T22:13:20.000Z', by: 'ada', reason: '</script>', until: '2023-11-14T22:23:20.000Z' }
  })
  t.match(unknown, { concurrency: null, utilisation: null })
})

t.test('both lists respond with 304 while nothing has changed, and refuse parameters', async t => {
  const app = await buildDashboard(t)
  for (const path of ['/tasks/api/workers', '/tasks/api/queues']) {
    const { headers } = await app.inject(path)
    t.equal((await app.inject({ url: path, headers: { 'if-none-match': headers['etag'] as string } })).statusCode, 304, path)
    t.match((await app.inject(`${path}?task_name=a`)).json(), { status: 400, code: 'INVALID_INPUT' }, path)
  }
})

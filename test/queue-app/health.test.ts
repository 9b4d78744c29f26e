import t from 'tap'
import { QueueApp } from '../../lib/index.ts'
import { createHealthCheck, type HealthDependencies } from '../../lib/queue-app/health.ts'
import { redisUrl, startRedis } from '../support/stores.ts'
import { waitFor } from '../support/wait-for.ts'

t.test('what one process cannot write to the history is told by the health of another', async t => {
  const broker = await redisUrl(t)
  const lost = await startRedis(t)
  const dashboard = QueueApp.fromUrls({ broker, backend: await redisUrl(t) })
  const worker = QueueApp.fromUrls({ broker, backend: lost.url, stopGraceMs: 100, onError: () => {} })
  const task = worker.task('spills', async () => {})
  t.teardown(async () => {
    await worker.stop()
    await dashboard.stop()
  })
  await dashboard.start()
  await worker.start()
  const backend = async () => (await dashboard.monitoring.health()).components.backend
  t.match(await backend(), { healthy: true, message: 'reachable' })

  await lost.kill()
  await worker.enqueue(task, [])
  await waitFor('the other process to hear of it', async () => !(await backend()).healthy)
  t.match((await backend()).message, /^another process: 1 finished executions wait to be written to the history since 20/)
  t.equal((await dashboard.monitoring.health()).status, 'degraded')
  await lost.start()
  await waitFor('the record to be written', async () => (await backend()).healthy)
})

function healthOf(dependencies: Partial<HealthDependencies>) {
  return createHealthCheck({
    isStarted: () => true, broker: { ping: async () => 1 }, resultStore: { ping: async () => 1 }, schedules: { status: () => ({ healthy: true, message: 'on time' }) },
    registry: { processes: async () => [] }, workerId: 'own', recordingProblem: () => null, ...dependencies
  })()
}

function processOf(workerId: string, recordingProblem: string | null) {
  return { workerId, startedAt: 1, tasks: ['a'], unreachable: 0, unwrittenSince: null, recordingProblem }
}

t.test('what many processes cannot write is told once, what this one cannot in its own words of now', async t => {
  const processes = async () => [processOf('own', 'as of the last heartbeat'), processOf('b', '5 wait'), processOf('c', null), processOf('d', '7 wait')]
  t.match(await healthOf({ registry: { processes }, recordingProblem: () => '3 wait' }), {
    status: 'degraded', components: { backend: { healthy: false, message: '3 wait; 2 other processes, of which one: 5 wait' }, workers: { message: '4 processes run tasks' } }
  })
  t.match((await healthOf({ registry: { processes } })).components.backend, { healthy: false, message: '2 other processes, of which one: 5 wait' })
})

t.test('a process that publishes nothing of it, as an earlier version, has no problem', async t => {
  const { recordingProblem: _, ...earlier } = processOf('b', null)
  t.match(await healthOf({ registry: { processes: async () => [earlier as ReturnType<typeof processOf>] } }), { status: 'healthy', components: { backend: { message: 'reachable' } } })
})

t.test('processes that cannot be asked for leave workers unknown, and the backend as it is', async t => {
  const report = await healthOf({ registry: { processes: () => Promise.reject(new Error('lost')) } })
  t.match(report.components, { backend: { healthy: true, message: 'reachable' }, workers: { healthy: false, message: 'not known: the broker cannot be asked' } })
})

t.test('a process whose workers cannot reach the broker is told apart from one that runs tasks', async t => {
  const cutOff = { ...processOf('b', null), tasks: [], unreachable: 2 }
  t.match(await healthOf({ registry: { processes: async () => [processOf('own', null), cutOff] } }), {
    status: 'degraded', components: { workers: { healthy: false, message: '1 of 2 processes run tasks; 1 cannot reach the broker to take executions' } }
  })
})

import { Redis } from 'ioredis'
import pg from 'pg'
import t, { type Test } from 'tap'
import { QueueApp } from '../../../lib/index.ts'
import { createTaskDashboardError } from '../../../lib/errors.ts'
import { createHealthCheck, type HealthDependencies } from '../../../lib/queue-app/monitoring/health.ts'
import { redisUrl, startPostgres, startRedis } from '../../support/servers/stores.ts'
import { createWriteWatch } from '../../../lib/queue-app/processes/write-watch.ts'
import { createMemoryDocuments } from '../../support/memory-documents.ts'
import { waitFor } from '../../support/wait-for.ts'

t.test('health in one process reports that another process cannot write to the history', async t => {
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
  t.match((await backend()).message, /^another process: 1 finished executions have been waiting to be written to the history since 20/)
  t.equal((await dashboard.monitoring.health()).status, 'degraded')
  await lost.start()
  await waitFor('the record to be written', async () => (await backend()).healthy)
})

function healthOf(dependencies: Partial<HealthDependencies>) {
  return createHealthCheck({
    isStarted: () => true, broker: { ping: async () => 1 }, resultStore: { ping: async () => 1 },
    schedules: { status: () => ({ healthy: true, message: 'on time' }) },
    registry: { processes: async () => [] }, workerId: 'own', recordingProblem: () => null, ...dependencies
  })()
}

function processOf(workerId: string, recordingProblem: string | null) {
  return { workerId, startedAt: 1, tasks: ['a'], unreachable: 0, unwrittenSince: null, recordingProblem }
}

t.test('what existing queues lost more than an hour ago is mentioned, and is no reason to alert', async t => {
  const observing = {
    isAll: true, has: () => true, problem: () => null, readsAny: () => true, ownersProblem: () => null, endsWithProcess: false,
    manages: false, earlierLosses: () => 'it was flushed'
  }
  t.match(await healthOf({ observing }), {
    status: 'healthy', components: { backend: { healthy: true, message: 'reachable; it was flushed' } }
  })
  t.match(await healthOf({ observing, recordingProblem: () => '3 wait' }), {
    status: 'degraded', components: { backend: { healthy: false, message: '3 wait; it was flushed' } }
  })
})

t.test('health summarizes other processes that cannot write, and has the current problem of this one', async t => {
  const processes = async () =>
    [processOf('own', 'as of the last heartbeat'), processOf('b', '5 wait'), processOf('c', null), processOf('d', '7 wait')]
  t.match(await healthOf({ registry: { processes }, recordingProblem: () => '3 wait' }), {
    status: 'degraded',
    components: {
      backend: { healthy: false, message: '3 wait; 2 other processes, for example: 5 wait' }, workers: { message: '4 processes run tasks' }
    }
  })
  t.match((await healthOf({ registry: { processes } })).components.backend, {
    healthy: false, message: '2 other processes, for example: 5 wait'
  })
})

t.test('a process of an earlier version, which publishes no problem, counts as healthy', async t => {
  const { recordingProblem: _, ...earlier } = processOf('b', null)
  t.match(
    await healthOf({ registry: { processes: async () => [earlier as ReturnType<typeof processOf>] } }),
    { status: 'healthy', components: { backend: { message: 'reachable' } } }
  )
})

t.test('if processes cannot be read, the workers are unknown and the backend keeps its state', async t => {
  const report = await healthOf({ registry: { processes: () => Promise.reject(new Error('lost')) } })
  t.match(report.components, {
    backend: { healthy: true, message: 'reachable' }, workers: { healthy: false, message: 'unknown: the broker cannot be asked' }
  })
})

t.test('a process whose workers cannot reach the broker does not count as running tasks', async t => {
  const cutOff = { ...processOf('b', null), tasks: [], unreachable: 2 }
  t.match(await healthOf({ registry: { processes: async () => [processOf('own', null), cutOff] } }), {
    status: 'degraded',
    components: { workers: { healthy: false, message: '1 of 2 processes run tasks; 1 cannot reach the broker to take executions' } }
  })
})

t.test('a process that stops does not count as running tasks', async t => {
  const stopping = { ...processOf('b', null), isStopping: true }
  const workersOf = async (...processes: Array<ReturnType<typeof processOf>>) =>
    (await healthOf({ registry: { processes: async () => processes } })).components.workers
  t.match(await workersOf(processOf('a', null), stopping), { healthy: true, message: '1 process runs tasks' })
  t.match(await workersOf(stopping), { healthy: false, message: 'no process runs tasks: enqueued executions wait' })
  t.match(await workersOf(stopping, { ...processOf('c', null), tasks: [], unreachable: 2 }), {
    healthy: false, message: '0 of 1 processes run tasks; 1 cannot reach the broker to take executions'
  })
})

/** Starts one process that runs tasks, whose heartbeats are refused, and one that only shows the dashboard. */
async function testRefusedWrites(
  t: Test, broker: string, message: string, refuse: (isRefusing: boolean) => Promise<unknown>
): Promise<void> {
  const worker = QueueApp.fromUrls({ broker, stopGraceMs: 100, onError() {} })
  const task = worker.task('noop', () => {})
  const dashboard = QueueApp.fromUrls({ broker, onError() {} })
  await Promise.all([worker.start(), dashboard.start()])
  t.teardown(() => Promise.all([worker.stop(), dashboard.stop()]))
  const apps = [worker, dashboard]
  const healths = () => Promise.all(apps.map(app => app.monitoring.health()))
  for (const { components } of await healths()) t.match(components.broker, { healthy: true, message: 'reachable' })
  await refuse(true)
  const refused = await waitFor('both to report that writes are refused', async () => {
    const found = await healths()
    return found.every(({ components }) => !components.broker.healthy) && found
  })
  for (const health of refused) t.match(health, { status: 'unhealthy', components: { broker: { message, latencyMs: Number } } })
  await t.rejects(worker.enqueue(task, []), { code: 'BROKER_UNAVAILABLE' })
  await refuse(false)
  await waitFor('one to be accepted', () => worker.enqueue(task, []))
  await waitFor('both to be healthy again', async () => (await healths()).every(({ components }) => components.broker.healthy))
}

t.test('a broker that is reachable but refuses writes is unhealthy, with the reason', async t => {
  const [redis, postgres] = await Promise.all([startRedis(t), startPostgres(t)])
  const memory = new Redis(redis.url)
  const settings = new pg.Client(postgres.url)
  t.teardown(() => Promise.all([memory.quit(), settings.end()]))
  await settings.connect()
  await Promise.all([
    testRefusedWrites(t, redis.url, 'reachable, but it refuses writes: its memory is full', isRefusing =>
      memory.config('SET', 'maxmemory', isRefusing ? 1 : 0)),
    testRefusedWrites(t, postgres.url, 'reachable, but it is read-only', async isRefusing => {
      await settings.query(`ALTER SYSTEM SET default_transaction_read_only = ${isRefusing ? 'on' : 'off'}`)
      await settings.query('SELECT pg_reload_conf()')
    })
  ])
})

t.test('health names processes whose clock is wrong', async t => {
  const workersOf = async (...aheadMs: number[]) =>
    (await healthOf({
      registry: { processes: async () => aheadMs.map((ahead, index) => ({ ...processOf(`w${index}`, null), aheadMs: ahead })) }
    })).components.workers
  t.match(await workersOf(0, -29_000), { healthy: true, message: '2 processes run tasks' })
  t.match(await workersOf(0, 3_600_000), {
    healthy: false, message: '2 processes run tasks; the clock of one process is 3600 s ahead of the broker\'s: correct it'
  })
  t.match(await workersOf(40_000, -3_600_000), {
    healthy: false,
    message: '2 processes run tasks; the clocks of 2 processes are wrong, one of them 3600 s behind the broker\'s: correct them'
  })
})

t.test('a full disk seen by enqueue() is reported until a write succeeds or some seconds have passed', async t => {
  let at = 0
  const watch = createWriteWatch(createMemoryDocuments(), () => at)
  const full = Object.assign(new Error('could not extend file "base/5/1249"'), { code: '53100' })
  const refused = () => watch.enqueuing(() => Promise.reject(createTaskDashboardError('BROKER_UNAVAILABLE', [], { cause: full })))
  t.equal(await watch.refusal(), null)
  await t.rejects(refused())
  t.equal(await watch.refusal(), 'it refuses writes: its disk is full')
  await watch.documents.put('processes', 'w', {})
  t.equal(await watch.refusal(), 'it refuses writes: its disk is full')
  await watch.enqueuing(async () => {})
  t.equal(await watch.refusal(), null)
  await t.rejects(refused())
  at += 20_000
  t.equal(await watch.refusal(), null)
  await t.rejects(watch.enqueuing(() => Promise.reject(Object.assign(new Error('reset'), { code: 'ECONNRESET' }))))
  t.equal(await watch.refusal(), null, 'the ping reports what cannot be reached')
})

t.test('health probes with a write every few seconds, unless heartbeats already write', async t => {
  let at = 0
  let writes = 0
  const documents = createMemoryDocuments()
  const watch = createWriteWatch(
    { ...documents, increment: async (...write) => { writes++; return documents.increment(...write) } }, () => at
  )
  for (const _ of [1, 2, 3]) await watch.refusal()
  t.equal(writes, 1)
  await watch.documents.put('processes', 'w', {})
  at += 5_000
  await watch.refusal()
  t.equal(writes, 1)
  at += 5_000
  await Promise.all([watch.refusal(), watch.refusal()])
  t.equal(writes, 2)
})

t.test('writes without a response are reported until one succeeds', async t => {
  const documents = createMemoryDocuments()
  let isHanging = true
  const watch = createWriteWatch({
    ...documents, increment: async (...write) => isHanging ? new Promise(() => {}) : documents.increment(...write)
  })
  t.equal(await watch.refusal(), 'it does not answer writes')
  isHanging = false
  t.equal(await waitFor('a write to be accepted', async () => await watch.refusal() === null), true)
})

t.test('a result backend that refuses writes is unhealthy, also in a process ' +
  'that only shows the dashboard', async t => {
  const postgres = await startPostgres(t)
  const settings = new pg.Client(postgres.url)
  await settings.connect()
  const dashboard = QueueApp.fromUrls({ broker: await redisUrl(t), backend: postgres.url, onError() {} })
  t.teardown(async () => {
    await dashboard.stop()
    await settings.end()
  })
  await dashboard.start()
  for (const isReadOnly of [true, false]) {
    await settings.query(`ALTER SYSTEM SET default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`)
    await settings.query('SELECT pg_reload_conf()')
    const health = await waitFor('health to report it', async () => {
      const found = await dashboard.monitoring.health()
      return /read-only/.test(found.components.backend.message) === isReadOnly && found
    })
    t.match(health, { status: 'degraded', components: { broker: { healthy: true }, backend: { latencyMs: Number } } })
    if (isReadOnly) t.match(health.components.backend, { healthy: false, message: /^reachable, but it is read-only/ })
  }
  t.ok(Array.isArray((await dashboard.monitoring.executions({})).executions), 'reads still work')
})

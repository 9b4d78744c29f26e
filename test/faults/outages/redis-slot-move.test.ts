import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import t, { type Test } from 'tap'
import { createResultBackend } from '../../../lib/backend/create-result-backend.ts'
import type { ResultBackend } from '../../../lib/backend/result-backend.ts'
import type { EnqueueRequest } from '../../../lib/engine/engine.ts'
import { isTaskDashboardError } from '../../../lib/errors.ts'
import { fixedDelay } from '../../../lib/time/backoff.ts'
import { DAY_MS, HOUR_MS } from '../../../lib/time/units.ts'
import { QueueApp } from '../../../lib/index.ts'
import { makeExecution } from '../../backend/make-execution.ts'
import { startEngine, work } from '../../contracts/engine-work.ts'
import { newStore } from '../../contracts/store.ts'
import type { TestServer } from '../../support/servers/child-server.ts'
import { startRedisCluster } from '../../support/servers/redis-cluster.ts'
import { beginSlotMove, moveSlot } from '../../support/servers/slot-move.ts'
import { redisUrl, testNamespace } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'

/*
 * Tests the promises of docs/your-store.md about a slot that moves while the app runs. MIGRATE runs without REPLACE here, so if a key was
 * created on both nodes, the move fails with BUSYKEY.
 */

const POLICY = { success: { maxAgeMs: DAY_MS, maxCount: 3 }, failed: { maxAgeMs: DAY_MS, maxCount: 3 } }

t.test('no execution is lost when a slot moves to another node while executions run', { timeout: 240_000 }, async t => {
  const nodes = await startRedisCluster(t)
  const runs = new Map<number, number>()
  const broker = nodes[0]!.url
  const worker = QueueApp.fromUrls({ broker, onError() {} })
  worker.task('count', async (number: number) => { runs.set(number, (runs.get(number) ?? 0) + 1) })
  const producer = QueueApp.fromUrls({ broker, tasks: { count: {} }, onError() {} })
  for (const queueApp of [worker, producer]) {
    t.teardown(() => queueApp.stop())
    await queueApp.start()
  }
  const confirmed: number[] = []
  /** By id: executions that may or may not have been added. */
  const unconfirmed = new Map<string, number>()
  let isMoving = true
  const load = (async () => {
    for (let number = 0; isMoving || number < 200; number++) {
      await waitFor(`execution ${number} to be taken`, async () => {
        try {
          await producer.enqueue('count', [number])
          confirmed.push(number)
        } catch (error) {
          if (!isTaskDashboardError(error) || error.code !== 'UNCONFIRMED') throw error
          unconfirmed.set(error.unconfirmedIds![0]!, number)
        }
        return true
      })
    }
  })()
  await waitFor('some executions', async () => runs.size > 50)
  for (let moves = 0; moves < 3; moves++) await moveSlot(t, nodes, '{tasks}', () => sleep(10))
  isMoving = false
  await load
  await waitFor('all that were added to have run', async () => confirmed.every(number => runs.has(number)))
  for (const [id, number] of unconfirmed) {
    await waitFor(`execution ${number} to have run, or not to exist`, async () => runs.has(number) || await producer.result(id) === null)
  }
  let finished: object = {}
  await waitFor(() => `the history to have all ${runs.size}: ${JSON.stringify(finished)}`, async () => {
    const { executions } = await producer.monitoring.statistics()
    finished = executions
    return executions.success === runs.size
  })
  t.same(confirmed.filter(number => !runs.has(number)), [])
  const twice = [...runs.values()].filter(times => times > 1).length
  t.comment(`${confirmed.length} executions confirmed, ${unconfirmed.size} not, ${twice} ran twice`)
})

t.test('while a slot of the history moves, every call is refused or correct', { timeout: 240_000 }, async t => {
  const nodes = await startRedisCluster(t)
  const namespace = testNamespace()
  const moving = await openBackend(t, nodes[0]!.url, namespace)
  const whole = await openBackend(t, await redisUrl(t), namespace)
  const now = Date.now()
  let recorded = 0
  const next = () => makeExecution({
    finishedAt: now - 5_000 + recorded++, status: recorded % 2 === 0 ? 'success' : 'failed', scheduleId: 'nightly', attempt: 2,
    retryOf: 'first', durationMs: recorded * 700, workerId: `worker-${recorded % 2}`, taskName: `task-${recorded % 3}`,
    errorGroup: recorded % 2 === 0 ? null : `group-${recorded}`
  })
  const seed = Array.from({ length: 8 }, next)
  for (const backend of [moving, whole]) await backend.record(seed)

  const move = await beginSlotMove(t, nodes, `{${namespace}}`)
  // First the keys that the scripts touch first.
  const splits = [/:~executions$/, /:~(?:groups|totals|workers|payloads)$/]
  let refused = 0
  const writes: Array<(backend: ResultBackend) => Promise<unknown>> = []
  while (await move.left() > 0) {
    const left = await move.left()
    await Promise.all(Object.entries(readsOf(now, seed[5]!.executionId)).map(async ([name, read]) => {
      const answer = await orRefused(read(moving))
      if (answer === REFUSED) refused++
      else t.same(answer, await read(whole), `${name} with ${left} keys left`)
    }))
    const executions = [next(), next()]
    const attempt = { attempt: 1, startedAt: now, finishedAt: now, workerId: null, error: null }
    const tried: Array<(backend: ResultBackend) => Promise<unknown>> = [
      backend => backend.record(executions),
      backend => backend.recordAttempts([{ executionId: executions[0]!.executionId, taskName: 'task-1', attempt }]),
      backend => backend.moveSchedule('nightly', 'daily'),
      backend => backend.prune(POLICY, { nowMs: now, keepAfterMs: now, brokerHasAfterMs: now - HOUR_MS, limit: 1 })
    ]
    const answers = await Promise.all(tried.map(write => orRefused(write(moving))))
    for (const [index, answer] of answers.entries()) {
      if (answer === REFUSED) writes.push(tried[index]!)
      else await tried[index]!(whole)
    }
    await move.migrate(splits.shift() ?? 8)
  }
  await move.finish()
  t.ok(refused > 0 && writes.length > 0, `${refused} reads and ${writes.length} writes were refused`)
  for (const write of writes) {
    await waitFor('a refused write to succeed', async () => await orRefused(write(moving)) !== REFUSED)
    await write(whole)
  }
  for (const [name, read] of Object.entries(readsOf(now, seed[5]!.executionId))) t.same(await read(moving), await read(whole), name)
})

t.test('while a slot of the queues moves, every call is refused or correct', { timeout: 240_000 }, async t => {
  const nodes = await startRedisCluster(t)
  const namespace = testNamespace()
  const { engine } = await startEngine(t, nodes[0]!.url, namespace)
  const tasks = ['plain', 'other']
  const request = (given: Partial<EnqueueRequest>): EnqueueRequest => ({
    executionId: randomUUID(), taskName: 'plain', args: [1], maxAttempts: 1, backoff: fixedDelay(1), delayMs: 0, priority: 0,
    scheduleId: null, retryOf: null, ...given
  })
  const kinds = [{}, { delayMs: HOUR_MS }, { priority: 5 }, { taskName: 'other' }]
  const first = kinds.map(request)
  await engine.enqueue(first)
  await engine.indexQueues(tasks)
  const added = new Set(first.map(each => each.executionId))
  const due = new Set(first.flatMap(each => each.delayMs === 0 ? [each.executionId] : []))
  const unsure = new Set<string>()
  const schedule = {
    scheduleId: 'nightly', taskName: 'plain', timing: { cron: '0 3 1 1 *', timezone: 'UTC' }, args: [], priority: 0, maxAttempts: 1,
    backoff: fixedDelay(1)
  }
  await engine.upsertScheduler(schedule)
  await engine.upsertScheduler({ ...schedule, scheduleId: 'leaving' })
  const done = request({ taskName: 'done' })
  await engine.enqueue([done])
  const worker = work(t, engine, { taskName: 'done', run: async () => {} })
  await worker.finished(done.executionId)
  await worker.stop()
  const [finished] = await engine.finishedBefore(['done'], Infinity, 1)
  const ids = async () => {
    const { executions } = await engine.inFlight({ taskNames: tasks, order: 'newest', limit: 100 })
    return executions.map(({ executionId }) => executionId)
  }
  const reads: Record<string, () => Promise<unknown>> = {
    counts: async () => [...(await engine.counts(tasks)).values()].reduce((sum, each) => sum + each.pending, 0) === added.size,
    summary: async () => (await engine.summary(tasks)).pending === added.size,
    inFlight: async () => JSON.stringify((await ids()).sort()) === JSON.stringify([...added].sort()),
    find: async () => (await engine.find(tasks, first[1]!.executionId))?.executionId === first[1]!.executionId,
    listSchedulers: async () => (await engine.listSchedulers(tasks)).some(each => each.scheduleId === 'nightly'),
    newestFinished: async () => (await engine.newestFinished([{ taskName: 'done', sinceMs: 0 }]))[0]!.executions.length === 1,
    removeFinished: async () => await engine.removeFinished([finished!], -1) === 0,
    standingAsDefined: async () => (await engine.standingAsDefined([schedule])).size === 1,
    indexQueues: async () => { await engine.indexQueues(tasks); return true }
  }

  const move = await beginSlotMove(t, nodes, `{${namespace}}`)
  // First the keys that removing a schedule declares, then those that adding a delayed execution declares.
  const splits = [/:plain:(?:repeat|delayed|events)$/, /:plain:(?:marker|meta|id|completed)$/]
  let refused = 0
  let isRemoved = false
  while (await move.left() > 0) {
    const left = await move.left()
    await Promise.all(Object.entries(reads).map(async ([name, read]) => {
      const answer = await orRefused(read())
      if (answer === REFUSED) refused++
      else if (unsure.size === 0) t.equal(answer, true, `${name} with ${left} keys left`)
    }))
    await Promise.all(kinds.map(request).map(async each => {
      const error = await engine.enqueue([each]).then(() => null, (error: unknown) => error)
      if (error === null) {
        added.add(each.executionId)
        if (each.delayMs === 0) due.add(each.executionId)
      } else if (isTaskDashboardError(error) && error.code === 'UNCONFIRMED') unsure.add(each.executionId)
      else t.match(error, { code: 'BROKER_UNAVAILABLE' })
    }))
    if (!isRemoved) isRemoved = await orRefused(engine.removeScheduler('plain', 'leaving')) === true
    await orRefused(engine.upsertScheduler(schedule))
    await move.migrate(splits.shift() ?? 8)
  }
  await move.finish()
  t.ok(refused > 0, `${refused} reads were refused`)
  await waitFor('the client to know the node', async () => await orRefused(ids()) !== REFUSED)
  if (!isRemoved) t.equal(await engine.removeScheduler('plain', 'leaving'), true)
  t.same(await keysOf(nodes, 'leaving'), [], 'nothing is left of the removed schedule')
  t.equal(await engine.removeFinished([finished!], Infinity), 1)
  const found = new Set(await ids())
  t.same([...added].filter(id => !found.has(id)), [], 'every execution that was added is there')
  t.same([...found].filter(id => !added.has(id) && !unsure.has(id)), [], 'nothing that was refused is there')
  const ran = new Set<string>()
  for (const taskName of tasks) work(t, engine, { taskName, run: async ({ executionId }) => { ran.add(executionId) } })
  await waitFor('all due executions to have run', async () => [...due].every(id => ran.has(id)))
})

const REFUSED = Symbol('refused')

async function orRefused<Result>(call: Promise<Result>): Promise<Result | typeof REFUSED> {
  return await call.catch((error: unknown) => {
    if (isTaskDashboardError(error) && error.statusCode === 503) return REFUSED
    throw error
  })
}

async function openBackend(t: Test, url: string, namespace: string): Promise<ResultBackend> {
  const store = newStore(url, namespace)
  t.teardown(() => store.stop())
  await store.start()
  const backend = createResultBackend(store)
  await backend.start()
  return backend
}

async function keysOf(nodes: readonly TestServer[], part: string): Promise<string[]> {
  return (await Promise.all(nodes.map(async ({ url }) => {
    const node = new Redis(url)
    return await node.keys(`*${part}*`).finally(() => { node.disconnect() })
  }))).flat()
}

function readsOf(now: number, executionId: string): Record<string, (backend: ResultBackend) => Promise<unknown>> {
  const hour = { fromMs: now - HOUR_MS, toMs: now + HOUR_MS }
  return {
    list: backend => backend.list({ order: 'newest', limit: 50 }),
    'list of a task': backend => backend.list({ order: 'oldest', limit: 50, taskName: 'task-1', status: 'failed' }),
    'list of a schedule': backend => backend.list({ order: 'oldest', limit: 50, scheduleId: 'nightly' }),
    'list of a worker': backend => backend.list({ order: 'oldest', limit: 50, workerId: 'worker-1' }),
    find: backend => backend.find(executionId),
    missing: backend => backend.missing([executionId, 'none']),
    retriesOf: backend => backend.retriesOf('first'),
    totals: async backend => ({ ...await backend.totals(), since: 0 }),
    taskTotals: backend => backend.taskTotals(),
    scheduleTotals: backend => backend.scheduleTotals(['nightly', 'daily']),
    hoursByTask: backend => backend.hoursByTask(hour.fromMs, hour.toMs),
    windowByTask: backend => backend.windowByTask(hour.fromMs, hour.toMs),
    rollups: backend => backend.rollups({ span: 'hour', ...hour }),
    'rollups of a task': backend => backend.rollups({ span: 'minute', taskName: 'task-1', ...hour }),
    failureGroups: backend => backend.failureGroups({ limit: 50, from: hour.fromMs }),
    kept: backend => backend.kept()
  }
}

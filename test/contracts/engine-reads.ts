import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import type { Test } from 'tap'
import { fixedDelay } from '../../lib/time/backoff.ts'
import type { Execution, ExecutionDetail } from '../../lib/execution.ts'
import { LEFT_OUT, type Engine } from '../../lib/engine/engine.ts'
import type { InFlightPage, InFlightQuery } from '../../lib/engine/in-flight/in-flight-query.ts'
import { createExecutionHistory } from '../../lib/queue-app/monitoring/executions/executions.ts'
import { inBatches } from '../support/in-batches.ts'
import type { TestScope } from '../support/servers/stores.ts'
import { waitFor } from '../support/wait-for.ts'
import { enqueueAll, startEngine, work } from './engine-work.ts'

/** How an execution ends. */
type Fate = 'returns' | 'fails' | 'fails once' | 'fails once, waits' | 'is left out'
const FATES: readonly Fate[] = ['returns', 'fails', 'fails once', 'fails once, waits', 'is left out']

/** Enough to read a page before, between and after changes. */
const MIN_LISTS = 3

/** Every read of an execution shows the state of a single moment. */
export async function testConsistentReads(t: Test, url: string): Promise<void> {
  const { engine } = await startEngine(t, url)

  await t.test('a read never mixes a state with fields of another while executions finish, fail, retry and are removed', async t => {
    const fates = fc.array(fc.constantFrom(...FATES), { minLength: 10, maxLength: 40 })
    await t.resolves(fc.assert(fc.asyncProperty(fates, fc.integer({ min: 1, max: 4 }), async (fates, concurrency) => {
      const seen = await readThrough(t, engine, fates, concurrency)
      if (seen.reads < fates.length) throw new Error('too little was read')
      if (seen.mixes.length > 0) throw new Error(`${seen.mixes.length} of ${seen.reads} reads mix two moments, such as ${seen.mixes[0]}`)
    }), { numRuns: 5, includeErrorInReport: true }))
  })

  await t.test('a list of all executions contains each of them once while they start, fail, retry and finish', async t => {
    const fates = fc.array(fc.constantFrom<Fate>('returns', 'fails', 'fails once', 'fails once, waits'), { minLength: 20, maxLength: 60 })
    await t.resolves(fc.assert(fc.asyncProperty(fates, fc.integer({ min: 1, max: 8 }), async (fates, concurrency) => {
      const { lists, faults } = await listThrough(t, engine, fates, concurrency)
      if (lists < MIN_LISTS) throw new Error('too little was read')
      if (faults.length > 0) throw new Error(`${faults.length} faults in ${lists} lists, such as ${faults[0]}`)
    }), { numRuns: 5, includeErrorInReport: true }))
  })

  await t.test('pages over more queues than fit in a cursor contain each execution once, in either order', async t => {
    const taskNames = Array.from({ length: 300 }, (_, index) => `task ${index}`)
    const ids = (await inBatches(taskNames, 10, async taskName => {
      const requests = [{}, { priority: 3 }].map(request => ({ ...request, executionId: randomUUID() }))
      return await patiently(() => enqueueAll(engine, taskName, requests))
    })).flat()
    for (const order of ['newest', 'oldest'] as const) {
      const seen: string[] = []
      let query: InFlightQuery | null = { taskNames, status: 'pending', order, limit: 100 }
      while (query !== null) {
        const asked: InFlightQuery = query
        const page: InFlightPage = await patiently(() => engine.inFlight(asked))
        seen.push(...page.executions.map(({ executionId }) => executionId))
        query = page.next === null ? null : { ...asked, cursor: page.next }
      }
      t.same(seen.toSorted(), ids.toSorted(), order)
    }
  })

  for (const others of [1, 60]) {
    await t.test(`finding many executions by id in ${others + 1} queues gives the same as finding each, without payloads`, async t => {
      const taskNames = [randomUUID(), ...Array.from({ length: others }, (_, index) => `other ${others} ${index}`)]
      const requests = Array.from({ length: 25 }, (_, index) =>
        ({ executionId: randomUUID(), args: ['secret'], priority: index % 3, delayMs: index % 5 === 0 ? 60_000 : 0, scheduleId: 'every' }))
      const ids = await patiently(() => enqueueAll(engine, taskNames[0]!, requests.slice(1)))
      ids.push(...await patiently(() => enqueueAll(engine, taskNames.at(-1)!, requests.slice(0, 1))))
      const found = await patiently(() => engine.findMany(taskNames, [...ids, 'unknown', '']))
      t.same(found.map(each => each.executionId).sort(), ids.toSorted())
      t.notOk(JSON.stringify(found).includes('secret'))
      for (const execution of found) {
        const whole = await patiently(() => engine.find(taskNames, execution.executionId))
        t.match(whole, { ...execution, progress: null, error: null })
      }
      t.same(await patiently(() => engine.findMany(taskNames.slice(1, -1), ids)), [])
      t.same(await patiently(() => engine.findMany([], ids)), [])
    })
  }

  await t.test('a list omits payloads, and reads arguments only if asked for and not too large', async t => {
    const taskName = randomUUID()
    const requests = [{ args: ['small'] }, { args: ['x'.repeat(300_000)], scheduleId: 'schedule', retryOf: 'earlier' }].map(
      each => ({ ...each, executionId: randomUUID() })
    )
    const [small, large] = await patiently(() => enqueueAll(engine, taskName, requests))
    const query = { taskNames: [taskName], status: 'pending', order: 'oldest', limit: 10 } as const
    const { executions } = await patiently(() => engine.inFlight({ ...query, scheduleId: 'schedule' }))
    t.match(executions, [{ executionId: large, scheduleId: 'schedule', retryOf: 'earlier' }])

    const asked = new Map<string, unknown>()
    const isWanted = (execution: Execution, args: readonly unknown[] | null | undefined): boolean => {
      asked.set(execution.executionId, args)
      return false
    }
    t.match(await patiently(() => engine.inFlight({ ...query, isWanted })), { executions: [], scanned: 2, skipped: 1, next: null })
    t.same([asked.get(small!), asked.get(large!)], [['small'], undefined])
    await patiently(() => engine.inFlight({ ...query, isWanted, needsArgs: () => false }))
    t.same([asked.get(small!), asked.get(large!)], [null, null])
  })
}

/** Runs the executions, and reads each of them and the lists repeatedly until all have ended. */
async function readThrough(
  t: TestScope, engine: Engine, fates: readonly Fate[], concurrency: number
): Promise<{ reads: number; mixes: string[] }> {
  const mixes: string[] = []
  let reads = 0
  const check = (execution: Execution | ExecutionDetail, fault: string | null): void => {
    reads++
    if (fault !== null) mixes.push(`${fault} in ${JSON.stringify(execution)}`)
  }
  const taskName = randomUUID()
  const taskNames = ['another', taskName, 'one more']
  const requests = fates.map(fate => ({
    executionId: randomUUID(), args: [fate], maxAttempts: fate.startsWith('fails once') ? 2 : 1,
    backoff: fixedDelay(fate === 'fails once, waits' ? 15 : 0)
  }))
  const ids = await patiently(() => enqueueAll(engine, taskName, requests))
  const worker = work(t, engine, {
    taskName,
    concurrency,
    async run({ executionId, attempt, args: [fate] }) {
      if (fate === 'is left out') return LEFT_OUT
      if (fate === 'fails' || (fate !== 'returns' && attempt === 1)) throw new RangeError(`${executionId} failed at attempt ${attempt}`)
      return { of: executionId }
    }
  })
  const recorded = fates.filter(fate => fate !== 'is left out').length
  const isOver = () => worker.executions.length === recorded
  const readEach = async (): Promise<void> => {
    while (!isOver()) {
      for (const id of ids) {
        const execution = await patiently(() => engine.find(taskNames, id))
        if (execution) check(execution, faultOfDetail(execution))
        // On the embedded store reads have priority over workers, which would never make progress.
        await sleep(1)
      }
    }
  }
  const readLists = async (): Promise<void> => {
    while (!isOver()) {
      for (const status of ['running', 'pending'] as const) {
        for (const order of ['newest', 'oldest'] as const) {
          const { executions } = await patiently(() => engine.inFlight({ taskNames, status, order, limit: 50 }))
          for (const execution of executions) check(execution, execution.status === status ? faultOf(execution) : `listed as ${status}`)
        }
      }
      await sleep(1)
    }
  }
  await Promise.all([readEach(), readLists()])
  await waitFor('all to be over', async () => isOver())
  await worker.stop()
  return { reads, mixes }
}

/**
 * Runs the executions, and lists all of them repeatedly until they have ended. An in-memory ledger has each finished execution before the
 * broker knows that it has finished.
 */
async function listThrough(
  t: TestScope, engine: Engine, fates: readonly Fate[], concurrency: number
): Promise<{ lists: number; faults: string[] }> {
  const taskName = randomUUID()
  const ledger = new Map<string, Execution>()
  const history = createExecutionHistory({
    engine,
    taskNames: async () => ['another', taskName],
    backend: {
      list: async () => ({
        executions: [...ledger.values()].toReversed(), next: null, total: { value: ledger.size, relation: 'exact' }, scanned: null,
        complete: true
      }),
      find: async () => null,
      attemptsOf: async () => []
    }
  })
  const requests = fates.map(fate => ({
    executionId: randomUUID(), args: [fate], maxAttempts: fate.startsWith('fails once') ? 2 : 1,
    backoff: fixedDelay(fate === 'fails once, waits' ? 15 : 0)
  }))
  const ids = await patiently(() => enqueueAll(engine, taskName, requests))
  let finishedAt = Date.now()
  let lists = 0
  const worker = work(t, engine, {
    taskName,
    concurrency,
    async run({ executionId, attempt, args: [fate] }) {
      await sleep(1)
      // Even a busy machine that reads slowly gets this many lists before everything has ended.
      if (executionId === ids.at(-1)) await waitFor('three lists', async () => lists >= MIN_LISTS)
      if (fate === 'returns' || fate === 'fails' || attempt > 1) {
        finishedAt = Math.max(finishedAt + 1, Date.now())
        ledger.set(executionId, {
          executionId, taskName, status: 'success', finishedAt, submittedAt: finishedAt, startedAt: finishedAt
        } as Execution)
      }
      if (fate === 'fails' || (fate !== 'returns' && attempt === 1)) throw new RangeError('failed')
    }
  })
  const faults: string[] = []
  for (; worker.executions.length < fates.length; lists++) {
    for (const order of ['newest', 'oldest'] as const) {
      const { executions } = await patiently(() => history.list({ order, limit: 200 }))
      for (const id of ids) {
        const states = executions.filter(({ executionId }) => executionId === id).map(({ status }) => status)
        if (states.length !== 1) faults.push(`${id} stands there ${states.length} times from the ${order}: ${states.join()}`)
      }
    }
    await sleep(1)
  }
  await worker.stop()
  return { lists, faults }
}

/** A busy machine sometimes responds late. */
async function patiently<Result>(ask: () => Promise<Result>): Promise<Result> {
  return (await waitFor('an answer', async () => ({ result: await ask() }))).result
}

function faultOf({ executionId, status, attempt, startedAt, finishedAt, durationMs, workerId, error }: Execution): string | null {
  const isFinished = status === 'success' || status === 'failed'
  if ((finishedAt !== null) !== isFinished) return 'its finish time'
  if ((durationMs !== null) !== isFinished) return 'its duration'
  if (status === 'running' && error !== null) return 'an error while it runs'
  if (status === 'success' && error !== null) return 'the error of a success'
  if (status !== 'pending' && (startedAt === null || workerId === null || attempt < 1)) return 'its start'
  const hasFailed = status === 'failed' || (status === 'pending' && attempt > 0)
  if (hasFailed && (error?.type !== 'RangeError' || error.message !== `${executionId} failed at attempt ${attempt}`))
    return 'the error of its last attempt'
  return null
}

function faultOfDetail(execution: ExecutionDetail): string | null {
  const { executionId, status, attempt, result, attempts } = execution
  const ended = status === 'running' ? attempt - 1 : attempt
  if (attempts.length !== ended) return 'its attempts'
  if (status === 'success' ? JSON.stringify(result) !== JSON.stringify({ of: executionId }) : result !== null) return 'its result'
  return faultOf(execution)
}

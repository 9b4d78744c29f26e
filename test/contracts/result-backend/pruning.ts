import fc from 'fast-check'
import type { Test } from 'tap'
import type { KeptHistory, PruneBounds, ResultBackend, RetentionPolicy } from '../../../lib/backend/result-backend.ts'
import { DAY_MS, HOUR_MS } from '../../../lib/time/units.ts'
import type { FinishedExecution, FinishedStatus } from '../../../lib/execution.ts'
import { makeExecution } from '../../backend/make-execution.ts'
import { readWindow } from '../../backend/read-window.ts'
import { isSoak } from '../../support/soak.ts'
import { type OpenStore, freshBackend } from './fresh-backend.ts'
import { assertSame, byFinish, countersOf, countsOf, filtered, listed } from './model.ts'

const YEARS_MS = 3_650 * DAY_MS
const KEEP_ALL = { maxAgeMs: YEARS_MS, maxCount: 1_000_000_000 }

/** Retention removes everything that exceeds the policy, and nothing else. */
export function pruningContract(t: Test, openStore: OpenStore): void {
  t.test('retention leaves what a simple model leaves, in steps of any size, and all-time numbers unchanged', async t => {
    const store = await openStore(t)
    const record = fc.record({
      minutesAgo: fc.integer({ min: 1, max: 40 }),
      status: fc.constantFrom<FinishedStatus[]>('success', 'success', 'failed', 'failed', 'cancelled'),
      task: fc.constantFrom('a', '日報'), schedule: fc.option(fc.constantFrom('s1', 's2:x'))
    })
    // Half way between two minutes, so that nothing is exactly at a limit.
    const limits = fc.record({
      maxAgeMs: fc.oneof(fc.constant(YEARS_MS), fc.integer({ min: 0, max: 45 }).map(minutes => minutes * 60_000 + 30_000)),
      maxCount: fc.oneof(fc.constant(1_000_000), fc.integer({ min: 0, max: 30 }))
    })
    const policy = fc.record({ success: limits, failed: limits })
    const bounds = fc.record({
      keepMinutes: fc.integer({ min: -1, max: 45 }), limit: fc.integer({ min: 1, max: 60 }), writers: fc.constantFrom(1, 1, 2)
    })
    const records = fc.array(record, { minLength: 1, maxLength: 50 })
    await fc.assert(fc.asyncProperty(records, policy, bounds, async (records, policy, { keepMinutes, limit, writers }) => {
      const backend = await freshBackend(store)
      const nowMs = Date.now()
      const executions = records.map(({ minutesAgo, status, task, schedule }, i) => makeExecution({
        finishedAt: nowMs - minutesAgo * 60_000, taskName: task, scheduleId: schedule, workerId: 'w', attempt: 2, args: [{ number: i }],
        status, errorGroup: status === 'failed' ? 'g' : null
      }))
      await backend.recordAttempts(executions.map(({ executionId, taskName }) => ({ executionId, taskName, attempt: FIRST_ATTEMPT })))
      await backend.record(executions)
      const before = await allTimeOf(backend, nowMs)

      const pruneBounds = { nowMs, keepAfterMs: nowMs - keepMinutes * 60_000 - 30_000, brokerHasAfterMs: Infinity, limit }
      const { kept, removed } = split(executions, policy, pruneBounds)
      const counts = await Promise.all(Array.from({ length: writers }, () => pruneAll(backend, policy, pruneBounds)))
      assertSame(counts.reduce((sum, count) => sum + count), removed.length)
      assertSame(await backend.prune(policy, pruneBounds), { removed: 0, more: false })

      assertSame(await allTimeOf(backend, nowMs), before)
      assertSame(await countersOf(backend), countsOf(new Map(executions.map(each => [each.executionId, each]))))
      await assertIsAll(backend, kept)
      await assertIsGone(backend, removed)
      assertSame(await backend.kept(), keptHistory(kept, removed.length === 0 ? null : Math.max(...removed.map(each => each.finishedAt))))
      assertSame(await backend.record(kept), 0)
      assertSame(await allTimeOf(backend, nowMs), before)
      const next = makeExecution({ finishedAt: nowMs - 50 * 60_000 })
      assertSame(await backend.record([next]), 1)
      await assertIsAll(backend, [...kept, next])
    }), { numRuns: (store.kind === 'embedded' ? 4 : 10) * (isSoak ? 10 : 1), endOnFailure: true })
  })

  t.test('a step removes at most its limit, oldest first', async t => {
    const backend = await freshBackend(await openStore(t))
    const nowMs = Date.now()
    const executions = Array.from({ length: 250 }, (_, i) => makeExecution({ finishedAt: nowMs - HOUR_MS + i }))
    await backend.record(executions)
    const step = () => backend.prune({ success: { maxAgeMs: YEARS_MS, maxCount: 40 }, failed: KEEP_ALL },
      { nowMs, keepAfterMs: nowMs, brokerHasAfterMs: Infinity, limit: 100 })
    t.strictSame(await step(), { removed: 100, more: true })
    const ids = executions.map(each => each.executionId)
    t.strictSame((await backend.missing(ids)).toSorted(), ids.slice(0, 100).toSorted())
    t.strictSame(await step(), { removed: 100, more: true })
    t.strictSame(await step(), { removed: 10, more: false })
    t.strictSame(await step(), { removed: 0, more: false })
    t.strictSame(await backend.kept(), keptHistory(executions.slice(210), executions[209]!.finishedAt))
  })

  t.test('a pruned execution neither counts as missing nor is recorded again, as long as the broker may still have it', async t => {
    const backend = await freshBackend(await openStore(t))
    const nowMs = Date.now()
    const executions = Array.from({ length: 1_200 }, (_, i) => makeExecution({ finishedAt: nowMs - HOUR_MS - i * 1_000 }))
    const ids = executions.map(each => each.executionId)
    for (let i = 0; i < 1_200; i += 400) await backend.record(executions.slice(i, i + 400))
    const nothing = { maxAgeMs: 0, maxCount: 0 }
    const prune = (brokerHasAfterMs: number) => pruneAll(backend, { success: nothing, failed: nothing },
      { nowMs, keepAfterMs: nowMs, brokerHasAfterMs, limit: 500 })
    const middle = executions[600]!.finishedAt
    t.equal(await prune(middle), 1_200)
    t.strictSame(
      (await backend.missing(ids.slice(400, 800))).toSorted(), ids.slice(600, 800).toSorted(), 'those no longer in the broker'
    )
    const fresh = makeExecution()
    t.equal(await backend.record([...executions.slice(590, 600), fresh]), 1)
    t.equal((await backend.totals()).success, 1_201)
    t.strictSame((await backend.list({ order: 'oldest', limit: 5 })).executions.map(each => each.executionId), [fresh.executionId])
    await prune(middle + 300_000)
    t.strictSame((await backend.missing(ids.slice(0, 1_000))).toSorted(), ids.slice(300, 1_000).toSorted())
    await prune(Infinity)
    t.strictSame((await backend.missing(ids.slice(0, 1_000))).toSorted(), ids.slice(0, 1_000).toSorted(), 'all ids are forgotten')
  })

  t.test('executions recorded again while they are being removed count once', async t => {
    const backend = await freshBackend(await openStore(t))
    const nowMs = Date.now()
    const executions = Array.from({ length: 300 }, (_, i) => makeExecution({ finishedAt: nowMs - HOUR_MS - i }))
    await backend.record(executions)
    const nothing = { maxAgeMs: 0, maxCount: 0 }
    await Promise.all([
      pruneAll(backend, { success: nothing, failed: nothing }, { nowMs, keepAfterMs: nowMs, brokerHasAfterMs: -Infinity, limit: 60 }),
      ...Array.from({ length: 10 }, () => backend.record(executions))
    ])
    t.equal((await backend.totals()).success, 300)
    t.equal(await backend.record(executions), 0)
    t.strictSame(await backend.missing(executions.map(each => each.executionId)), [])
  })

  t.test('pruning while executions are recorded removes those over the policy and keeps the others', async t => {
    const backend = await freshBackend(await openStore(t))
    const nowMs = Date.now()
    const old = Array.from({ length: 400 }, (_, i) => makeExecution({ finishedAt: nowMs - DAY_MS - i }))
    const fresh = Array.from({ length: 200 }, (_, i) => makeExecution({ finishedAt: nowMs - i }))
    await backend.record(old)
    const policy = { success: { maxAgeMs: HOUR_MS, maxCount: 1_000_000 }, failed: KEEP_ALL }
    const [removed] = await Promise.all([
      pruneAll(backend, policy, { nowMs, keepAfterMs: nowMs - HOUR_MS, brokerHasAfterMs: Infinity, limit: 30 }),
      ...[0, 50, 100, 150].map(start => backend.record(fresh.slice(start, start + 50)))
    ])
    t.equal(removed, 400)
    await assertIsAll(backend, fresh)
    t.equal((await backend.totals()).success, 600)
  })

  t.test('a failure group is kept as long as failed executions may be, and at least ninety days', async t => {
    const backend = await freshBackend(await openStore(t))
    const nowMs = Date.now()
    const failures = [89, 91, 200, 400].map(
      days => makeExecution({ status: 'failed', errorGroup: `${days} days`, finishedAt: nowMs - days * DAY_MS }
      ))
    await backend.record([
      ...failures,
      ...failures.map(each => makeExecution({ status: 'failed', errorGroup: each.errorGroup, finishedAt: each.finishedAt - DAY_MS }))
    ])
    const groupsAfter = async (days: number) => {
      await backend.prune({ success: KEEP_ALL, failed: { ...KEEP_ALL, maxAgeMs: days * DAY_MS } },
        { nowMs, keepAfterMs: nowMs, brokerHasAfterMs: Infinity, limit: 100 })
      const { groups, total } = await backend.failureGroups({ limit: 10, from: 0 })
      t.strictSame(total, { value: groups.length, relation: 'exact' })
      return groups.map(({ errorGroup, count }) => `${errorGroup}: ${count}`)
    }
    t.strictSame(await groupsAfter(3_650), ['89 days: 2', '91 days: 2', '200 days: 2', '400 days: 2'])
    t.strictSame(await groupsAfter(365), ['89 days: 2', '91 days: 2', '200 days: 2'])
    t.strictSame(await groupsAfter(30), ['89 days: 2'])
    await backend.record([makeExecution({ status: 'failed', errorGroup: '200 days', finishedAt: nowMs })])
    t.strictSame(await groupsAfter(30), ['200 days: 1', '89 days: 2'], 'a removed group starts again')
  })

  t.test('an empty ledger keeps nothing and prunes nothing', async t => {
    const backend = await freshBackend(await openStore(t))
    const keepNothing = { maxAgeMs: 1, maxCount: 0 }
    t.strictSame(await backend.kept(), keptHistory([], null))
    const bounds = { nowMs: Date.now(), keepAfterMs: Date.now(), brokerHasAfterMs: Infinity, limit: 10 }
    t.strictSame(await backend.prune({ success: keepNothing, failed: keepNothing }, bounds), { removed: 0, more: false })
    t.strictSame(await backend.kept(), keptHistory([], null))
  })
}

export const FIRST_ATTEMPT = { attempt: 1, startedAt: null, finishedAt: 5, workerId: null, error: null }

async function pruneAll(backend: ResultBackend, policy: RetentionPolicy, bounds: PruneBounds): Promise<number> {
  let count = 0
  for (;;) {
    const { removed, more } = await backend.prune(policy, bounds)
    if (removed > bounds.limit) throw new Error(`${removed} removed, ${bounds.limit} allowed`)
    count += removed
    if (!more) return count
  }
}

function split(executions: readonly FinishedExecution[], policy: RetentionPolicy, { nowMs, keepAfterMs }: PruneBounds) {
  const removed = (['success', 'failed', 'cancelled'] as const).flatMap(status => {
    const rows = executions.filter(each => each.status === status).sort(byFinish)
    const { maxAgeMs, maxCount } = policy[status === 'failed' ? 'failed' : 'success']
    return rows.filter((each, i) => each.finishedAt <= keepAfterMs && (each.finishedAt < nowMs - maxAgeMs || rows.length - i > maxCount))
  })
  return { removed, kept: executions.filter(each => !removed.includes(each)) }
}

/** The numbers that retention must not change. */
export async function allTimeOf(backend: ResultBackend, nowMs: number) {
  const range = { fromMs: nowMs - 2 * HOUR_MS, toMs: nowMs + 1 }
  const spans = ['minute', 'hour', 'day'] as const
  const rollups = await Promise.all(spans.flatMap(span =>
    [backend.rollups({ span, ...range }), backend.rollups({ span, ...range, taskName: '日報' })]))
  return {
    counters: await countersOf(backend),
    window: await readWindow(backend, range.fromMs, range.toMs),
    rollups: rollups.flat().map(({ startMs, tally }) =>
      [startMs, tally.success, tally.failed, [...tally.duration].sort(), [...tally.wait].sort()]),
    groups: await groupsOf(backend)
  }
}

/** The failures of a group by absolute hour, because a trend ends with the hour of the request. */
async function groupsOf(backend: ResultBackend) {
  const hourNow = () => Math.floor(Date.now() / HOUR_MS)
  for (;;) {
    const hour = hourNow()
    const { groups } = await backend.failureGroups({ limit: 10 })
    if (hourNow() !== hour) continue
    return groups.map(({ trend, ...group }) => {
      const hours = trend.map((count, i) => [hour - trend.length + 1 + i, count] as const)
      return { ...group, hours: hours.filter(([, count]) => count > 0) }
    })
  }
}

/** Every list has exactly these, in order. */
export async function assertIsAll(backend: ResultBackend, kept: readonly FinishedExecution[]): Promise<void> {
  const filters = [
    {}, { status: 'success' }, { status: 'failed' }, { taskName: 'a' }, { taskName: '日報', status: 'failed' }, { scheduleId: 's1' },
    { scheduleId: 's2:x', status: 'success' }, { workerId: 'w' }, { errorGroup: 'g' }, { minDurationMs: 1 },
    { text: [{ in: 'path', path: ['number'], value: '3' }] }, { text: [{ in: 'any', words: ['no', 'route'] }] }
  ] as const
  for (const filter of filters) {
    for (const order of ['newest', 'oldest'] as const) {
      const { executions, next } = await backend.list({ ...filter, order, limit: 1_000 })
      assertSame(next, null)
      assertSame(executions, filtered(kept, { ...filter, order }).map(listed))
    }
  }
  assertSame(await backend.missing(kept.map(each => each.executionId)), [])
  for (const each of kept.slice(0, 5)) assertSame((await backend.find(each.executionId))?.args, each.args)
}

async function assertIsGone(backend: ResultBackend, removed: readonly FinishedExecution[]): Promise<void> {
  const ids = removed.map(each => each.executionId)
  assertSame(await backend.missing(ids), ids)
  for (const id of ids.slice(0, 10)) {
    assertSame(await backend.find(id), null)
    assertSame(await backend.attemptsOf(id), [])
  }
}

export function keptHistory(kept: readonly FinishedExecution[], prunedBefore: number | null): KeptHistory {
  const of = (status: FinishedExecution['status']) => {
    const times = kept.filter(each => each.status === status).map(each => each.finishedAt)
    return { count: times.length, oldestFinishedAt: times.length === 0 ? null : Math.min(...times) }
  }
  return { success: of('success'), failed: of('failed'), prunedBefore }
}

import fc from 'fast-check'
import type { Test } from 'tap'
import { type DurationPercentiles, percentilesOf } from '../../../lib/backend/counting/histogram-sum.ts'
import type { Histogram } from '../../../lib/backend/counting/histogram.ts'
import { createResultBackend } from '../../../lib/backend/create-result-backend.ts'
import type { ResultBackend } from '../../../lib/backend/result-backend.ts'
import type { RollupSpan } from '../../../lib/backend/counting/tally.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../lib/time/units.ts'
import type { FinishedExecution } from '../../../lib/execution.ts'
import { makeExecution } from '../../backend/make-execution.ts'
import { readWindow } from '../../backend/read-window.ts'
import { isSoak } from '../../support/soak.ts'
import { type OpenStore, freshBackend, namespacedStore } from './fresh-backend.ts'
import { assertSame, countersOf, countsOf } from './model.ts'

/** Counters, windows and roll-ups match what was recorded. */
export function countingContract(t: Test, openStore: OpenStore): void {
  t.test('concurrent writers of the same executions record and count each once', async t => {
    const store = await openStore(t)
    const namespaced = namespacedStore(store)
    const backends = Array.from({ length: 4 }, () => createResultBackend(namespaced))
    await backends[0]!.start()
    const executions = Array.from({ length: 300 }, (_, i) => makeExecution({
      status: i % 3 ? 'success' : 'failed', taskName: `task ${i % 7}`, scheduleId: i % 2 ? `schedule ${i % 5}` : null,
      finishedAt: Date.now() - i * 1_000
    }))
    const added = await Promise.all(backends.flatMap(backend => [
      backend.record(shuffled(executions)),
      backend.record(shuffled(executions).slice(0, 120)),
      backend.record([...executions.slice(50), ...executions.slice(0, 90)])
    ]))
    t.equal(added.reduce((sum, count) => sum + count), 300)
    const model = new Map(executions.map(execution => [execution.executionId, execution]))
    t.strictSame(await countersOf(backends[0]!), countsOf(model))
    const { first, end } = spanOf(executions)
    const window = await readWindow(backends[0]!, first, end)
    t.equal(window.success + window.failed, 300)
    const byTask = await backends[0]!.windowByTask(first, end)
    t.equal([...byTask.values()].reduce((sum, each) => sum + each.success + each.failed, 0), 300)
    t.equal(byTask.size, 7)
    const since = (await backends[0]!.totals()).since
    t.ok(since <= Date.now() && since > Date.now() - 600_000)
  })

  t.test('an unknown duration is not 0: no sum includes it, and its execution began when it was submitted', async t => {
    const backend = await freshBackend(await openStore(t))
    const now = Date.now()
    const lost = { status: 'failed', startedAt: null, durationMs: null, waitMs: null, scheduleId: 's1' } as const
    await backend.record([makeExecution({ ...lost, finishedAt: now, submittedAt: now - 5_000 })])
    const of = async () => (await backend.scheduleTotals(['s1'])).get('s1')
    t.match(await of(), {
      success: 0, failed: 1, totalDurationMs: 0, timed: 0, last: { finishedAt: now, durationMs: null, beganAt: now - 5_000 }
    })
    await backend.record([
      makeExecution({ scheduleId: 's1', finishedAt: now - 1_000, startedAt: now - 1_400, durationMs: 400 }),
      makeExecution({ ...lost, finishedAt: now - 2_000 })
    ])
    t.match(await of(), {
      success: 1, failed: 2, totalDurationMs: 400, timed: 1, last: { finishedAt: now, durationMs: null, beganAt: now - 5_000 }
    })
    await backend.record([makeExecution({ scheduleId: 's1', finishedAt: now + 1_000, startedAt: now - 200, durationMs: 1_200 })])
    t.match(await of(), {
      success: 2, failed: 2, totalDurationMs: 1_600, timed: 2, last: { finishedAt: now + 1_000, durationMs: 1_200, beganAt: now - 200 }
    })
    t.match((await backend.taskTotals()).get('email:send'), { timed: 2, totalDurationMs: 1_600 })
    const gone = { ...lost, taskName: 'gone', scheduleId: null, finishedAt: now } as const
    await backend.record([makeExecution(gone), makeExecution(gone)])
    const windows = await backend.windowByTask(now - HOUR_MS, now + HOUR_MS)
    t.strictSame(windows.get('gone'), { success: 0, failed: 2, duration: null, wait: null })
    const { success, failed, duration, wait } = windows.get('email:send')!
    t.same([success, failed], [2, 2])
    for (const [told, is] of [[duration!.p50, 400], [duration!.p95, 1_200], [duration!.p99, 1_200], [wait!.p50, 10]] as const)
      t.ok(Math.abs(told / is - 1) <= 0.02, `${told} is ${is}`)
    for (const span of ['minute', 'hour', 'day'] as const) {
      const [tally] = (await backend.rollups({
        span, taskName: 'gone', fromMs: now - HOUR_MS, toMs: now + HOUR_MS
      })).map(each => each.tally)
      t.same([tally!.failed, percentilesOf(tally!.duration), percentilesOf(tally!.wait)], [2, null, null], span)
    }
    t.match((await backend.taskTotals()).get('gone'), { failed: 2, timed: 0, totalDurationMs: 0, last: { durationMs: null } })
    const asked = Array.from({ length: 9_000 }, (_, i) => `s${i}`)
    t.strictSame([...(await backend.scheduleTotals(asked)).keys()], ['s1'], 'for any number of schedules')
  })

  t.test('windows have percentiles within 2 % and exact counts', async t => {
    const backend = await freshBackend(await openStore(t))
    const minute = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - 30 * MINUTE_MS
    const sample = (i: number) => Math.round(Math.exp((i * 7919 % 1000) / 1000 * 13))
    const executions = Array.from({ length: 1_500 }, (_, i) => makeExecution({
      finishedAt: minute + (i % 3) * MINUTE_MS + i, durationMs: sample(i), waitMs: i % 10 ? sample(i + 500) : null,
      taskName: i % 2 ? 'odd' : 'even', status: i % 5 ? 'success' : 'failed'
    }))
    for (let i = 0; i < executions.length; i += 250) await backend.record(executions.slice(i, i + 250))
    for (const [from, to] of [[0, 3], [1, 2], [1, 3], [2, 9], [3, 9]] as const) {
      const inside = executions.filter(each => each.finishedAt >= minute + from * MINUTE_MS && each.finishedAt < minute + to * MINUTE_MS)
      const window = await readWindow(backend, minute + from * MINUTE_MS, minute + to * MINUTE_MS)
      t.equal(window.success, inside.filter(each => each.status === 'success').length)
      t.equal(window.failed, inside.filter(each => each.status === 'failed').length)
      assertPercentiles(t, window.duration, inside.map(each => each.durationMs))
      assertPercentiles(t, window.wait, inside.map(each => each.waitMs))
    }
    const byTask = await backend.windowByTask(minute - HOUR_MS, minute + HOUR_MS)
    t.strictSame([...byTask.keys()].sort(), ['even', 'odd'])
    assertPercentiles(t, byTask.get('odd')!.duration, executions.filter(each => each.taskName === 'odd').map(each => each.durationMs))
    for (const [from, to] of [[minute, minute], [minute + HOUR_MS, minute]] as const) {
      t.equal((await backend.windowByTask(from, to)).size, 0, 'an empty range has nothing')
      t.equal((await readWindow(backend, from, to)).success, 0)
    }
    t.strictSame(await readWindow(backend, 0, 1), { success: 0, failed: 0, duration: null, wait: null })
    const old = makeExecution({ finishedAt: Date.now() - 60 * HOUR_MS })
    await backend.record([old])
    t.equal((await readWindow(backend, old.finishedAt, old.finishedAt + 1)).success, 1, 'days ago, to the hour')
    // 1,201 = `old` and the successes above: four of five of 1,500
    t.equal((await readWindow(backend, old.finishedAt - HOUR_MS, Date.now() + HOUR_MS)).success, 1_201)
  })

  t.test('roll-ups of minutes, hours and days add up to a simple model, overall and per task', async t => {
    const store = await openStore(t)
    const now = Date.now()
    const ages = { minute: 5 * HOUR_MS, hour: 3 * DAY_MS, day: 20 * DAY_MS } as const
    const record = fc.record({
      age: fc.oneof(...Object.values(ages).map(max => fc.integer({ min: 0, max }))),
      task: fc.constantFrom('a', 'b:日'),
      failed: fc.boolean(),
      durationMs: fc.option(fc.oneof(fc.integer({ min: 0, max: 70 }), fc.integer({ min: 0, max: 10_000_000 }))),
      waitMs: fc.option(fc.integer({ min: 0, max: 5_000 }))
    })
    await fc.assert(fc.asyncProperty(fc.array(record, { minLength: 1, maxLength: 120 }), fc.nat(), async (records, seed) => {
      const backend = await freshBackend(store)
      const executions = records.map(({ age, task, failed, ...rest }) =>
        makeExecution({ ...rest, finishedAt: now - age, taskName: task, status: failed ? 'failed' : 'success' }))
      for (let i = 0; i < executions.length; i += 50) await backend.record(executions.slice(i, i + 50))
      for (const [span, spanMs] of SPANS) {
        for (const taskName of [undefined, 'a', 'never']) {
          const start = now - seed % ages[span]
          const ranges = [
            [now - ages[span], now + 1], [start, Math.min(now + 1, start + 7 * spanMs)], [start, start], [start, start - 3 * spanMs]
          ] as const
          for (const [fromMs, toMs] of ranges) {
            const firstMs = Math.floor(fromMs / spanMs) * spanMs
            const ofTask = executions.filter(each => taskName === undefined || each.taskName === taskName)
            const inside = fromMs < toMs ? ofTask.filter(each => each.finishedAt >= firstMs && startOf(each, spanMs) < toMs) : []
            const rollups = await backend.rollups({ span, fromMs, toMs, ...(taskName !== undefined && { taskName }) })
            const starts = [...new Set(inside.map(each => startOf(each, spanMs)))].sort((a, b) => a - b)
            assertSame(rollups.map(each => each.startMs), starts)
            for (const { startMs, tally } of rollups) {
              const those = inside.filter(each => startOf(each, spanMs) === startMs)
              const failed = those.filter(each => each.status === 'failed').length
              assertSame([tally.success, tally.failed], [those.length - failed, failed])
              assertHistogram(tally.duration, those.map(each => each.durationMs))
              assertHistogram(tally.wait, those.map(each => each.waitMs))
            }
          }
        }
      }
    }), { numRuns: (store.kind === 'embedded' ? 2 : 6) * (isSoak ? 10 : 1), endOnFailure: true })
  })

  t.test('executions recorded late appear at once in roll-ups already read, in every process', async t => {
    const store = namespacedStore(await openStore(t))
    const [writer, other] = [createResultBackend(store), createResultBackend(store)]
    await writer.start()
    // Minutes are kept for two days, so this one is kept at any time of day.
    const start = Math.floor(Date.now() / HOUR_MS - 30) * HOUR_MS
    const execution = (durationMs: number) => makeExecution({ finishedAt: start + 1, taskName: 'a', durationMs, waitMs: null })
    const numbersOf = async (backend: ResultBackend) => {
      const rollups = await Promise.all(SPANS.flatMap(([span, spanMs]) => [undefined, 'a'].map(taskName =>
        backend.rollups({ span, fromMs: start, toMs: start + spanMs, ...(taskName !== undefined && { taskName }) }))))
      const windows = [await readWindow(backend, start, start + 1), ...(await backend.windowByTask(start, start + 1)).values()]
      const ofSpans = rollups.flat().map(({ tally }) => [tally.success, percentilesOf(tally.duration)?.p99])
      return [...ofSpans, ...windows.map(({ success, duration }) => [success, duration?.p99])]
    }
    for (const [i, durationMs] of [10, 40, 30, 60].entries()) {
      await writer.record([execution(durationMs)])
      const slowest = Math.max(...[10, 40, 30, 60].slice(0, i + 1))
      for (const backend of [writer, other, other, writer]) {
        const numbers = await numbersOf(backend)
        t.equal(numbers.length, 7)
        for (const each of numbers) t.strictSame(each, [i + 1, slowest])
      }
    }
  })

  t.test('executions are counted by task and hour, with those of parts in the task that covers them', async t => {
    const backend = await freshBackend(await openStore(t))
    const hour = Math.floor(Date.now() / HOUR_MS - 5) * HOUR_MS
    const of = (taskName: string, hours: number, status: 'success' | 'failed' = 'success') =>
      makeExecution({ taskName, status, finishedAt: hour + hours * HOUR_MS })
    await backend.record([of('mail', 0), of('mail', 0, 'failed'), of('mail', 2), of('mail:invoice', 2), of('other', 3), of('other', 4)])
    const wholeOf = (taskName: string) => taskName.startsWith('mail:') ? 'mail' : null
    for (const round of ['read', 'from the cache']) {
      const counts = await backend.hoursByTask(hour, hour + 3 * HOUR_MS + 1, wholeOf)
      t.strictSame(Object.fromEntries(counts), { 'mail': [2, 0, 2, 0], 'mail:invoice': [0, 0, 1, 0], 'other': [0, 0, 0, 1] }, round)
    }
    t.strictSame([...await backend.hoursByTask(hour, hour + 1)], [['mail', [2]]], 'rounded out to a whole hour')
    t.equal((await backend.hoursByTask(hour, hour)).size, 0, 'an empty range has nothing')
  })

  t.test('two backends in one process do not share their caches', async t => {
    const store = await openStore(t)
    const backends = [await freshBackend(store), await freshBackend(store)]
    const start = Math.floor(Date.now() / HOUR_MS - 3) * HOUR_MS
    for (const [i, backend] of backends.entries())
      await backend.record([makeExecution({ finishedAt: start, taskName: 'a', durationMs: 10 * (i + 1) })])
    for (let round = 0; round < 2; round++) {
      for (const [i, backend] of backends.entries()) {
        const [rollup] = await backend.rollups({ span: 'hour', fromMs: start, toMs: start + HOUR_MS })
        t.equal(percentilesOf(rollup!.tally.duration)?.p50, 10 * (i + 1))
        t.equal((await backend.windowByTask(start, start + 1)).get('a')?.duration?.p50, 10 * (i + 1))
      }
    }
  })
}

const SPANS: ReadonlyArray<[RollupSpan, number]> = [['minute', MINUTE_MS], ['hour', HOUR_MS], ['day', DAY_MS]]

function startOf({ finishedAt }: FinishedExecution, spanMs: number): number {
  return Math.floor(finishedAt / spanMs) * spanMs
}

function assertHistogram(histogram: Histogram, values: ReadonlyArray<number | null>): void {
  const known = values.filter(value => value !== null)
  assertSame([...histogram.values()].reduce((sum, count) => sum + count, 0), known.length)
  assertNear(percentilesOf(histogram), known)
}

function assertPercentiles(t: Test, actual: DurationPercentiles | null, values: ReadonlyArray<number | null>): void {
  t.doesNotThrow(() => { assertNear(actual, values.filter(value => value !== null)) })
}

/** Within 2 % of the nearest rank. */
function assertNear(actual: DurationPercentiles | null, values: readonly number[]): void {
  const sorted = values.toSorted((a, b) => a - b)
  if (sorted.length === 0) { assertSame(actual, null); return }
  for (const [name, share] of [['p50', 0.5], ['p95', 0.95], ['p99', 0.99]] as const) {
    const exact = sorted[Math.ceil(sorted.length * share) - 1]!
    if (actual === null || Math.abs(actual[name] - exact) > exact * 0.02) throw new Error(`${name} ${actual?.[name]} is not near ${exact}`)
  }
}

function spanOf(executions: readonly FinishedExecution[]): { first: number; end: number } {
  const times = executions.map(each => each.finishedAt)
  return { first: Math.min(...times), end: Math.max(...times) + 1 }
}

function shuffled<T>(items: readonly T[]): T[] {
  return items.map(item => ({ item, key: Math.random() })).sort((a, b) => a.key - b.key).map(({ item }) => item)
}

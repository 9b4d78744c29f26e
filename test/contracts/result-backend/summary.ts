import type { Test } from 'tap'
import { type BatchSummary, summarizeBatch } from '../../../lib/backend/counting/summarize-batch.ts'
import { OVERALL, ROLLUP_SPANS } from '../../../lib/backend/counting/tally.ts'
import { toLedgerEntries } from '../../../lib/backend/entry/ledger-entry.ts'
import type { ResultBackend } from '../../../lib/backend/result-backend.ts'
import type { FinishedExecution } from '../../../lib/execution.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../lib/time/units.ts'
import { makeExecution } from '../../backend/make-execution.ts'
import { type OpenStore, freshBackend } from './fresh-backend.ts'
import { assertSame } from './model.ts'

/** Redis expires a span at a whole second. */
const EXPIRY_GRAIN_MS = 1_000

/** Every driver stores exactly the summary of a batch. */
export function summaryContract(t: Test, openStore: OpenStore): void {
  t.test('the stored roll-ups, totals and failure groups of a batch equal its summary, up to the edge of retention', async () => {
    const store = await openStore(t)
    for (;;) {
      const backend = await freshBackend(store)
      const now = Date.now()
      const executions = batchAt(now)
      const entries = toLedgerEntries(executions)
      await backend.record(executions)
      const summary = summarizeBatch(entries, now)
      const stored = await storedOf(backend, summarizeBatch(entries, 0))
      // A span at the edge may have expired in between. If so, try another batch at a later time.
      const then = Date.now()
      const hasExpired = summarizeBatch(entries, then + EXPIRY_GRAIN_MS).rollups.length !== summary.rollups.length
      // An hour of the trend may also have ended.
      if (hasExpired || Math.floor(now / HOUR_MS) !== Math.floor(then / HOUR_MS)) continue
      assertSame(stored, toldOf(summary, now))
      return
    }
  })
}

/** Just inside and outside the retention of each span, several minutes of one hour, and the same in other tasks. */
function batchAt(now: number): FinishedExecution[] {
  const edges = Object.values(ROLLUP_SPANS).flatMap(({ ms, keptMs, taskKeptMs }) =>
    [keptMs, taskKeptMs].flatMap(kept => [now - kept, now - kept - ms]))
  const ages = [0, 1, MINUTE_MS, 3 * MINUTE_MS, HOUR_MS, 5 * HOUR_MS, 2 * DAY_MS]
  return [...ages.map(age => now - age), ...edges].flatMap((finishedAt, i) => [0, 1, 2].map(j => makeExecution({
    finishedAt,
    taskName: ['a', 'b:日', 'NUL \u0000'][(i + j) % 3]!,
    scheduleId: j === 0 ? `schedule ${i % 2}` : null,
    status: j === 2 ? 'failed' : 'success',
    errorGroup: j === 2 ? `group ${i % 4}` : null,
    durationMs: j === 1 && i % 5 === 0 ? null : i * 7 + j * 1_000,
    waitMs: i % 4 === 0 ? null : i
  })))
}

/** Reads everything in `all` through the port, whether it is kept or not. */
async function storedOf(backend: ResultBackend, all: BatchSummary) {
  const rollups = []
  for (const { span, number, taskName } of all.rollups) {
    const { ms } = ROLLUP_SPANS[span]
    const read = await backend.rollups({ span, fromMs: number * ms, toMs: (number + 1) * ms, ...(taskName !== OVERALL && { taskName }) })
    for (const { tally } of read) rollups.push(rollupOf(span, number, taskName, tally))
  }
  const { success, failed } = await backend.totals()
  const scheduleIds = all.counters.filter(each => each.scope === 'schedule').map(each => each.name)
  const { groups } = await backend.failureGroups({ limit: 100 })
  return {
    rollups: rollups.sort(),
    totals: { success, failed },
    tasks: Object.fromEntries(await backend.taskTotals()),
    schedules: Object.fromEntries(await backend.scheduleTotals(scheduleIds)),
    groups: Object.fromEntries(groups.map((
      { errorGroup, count, firstSeenAt, lastSeenAt, lastExecutionId, type, message, frame, tasks, trend }
    ) => {
      const byTask = Object.fromEntries(tasks.map(each => [each.taskName, each.count]))
      return [errorGroup, { count, firstSeenAt, lastSeenAt, lastExecutionId, type, message, frame, tasks: byTask, day: sumOf(trend) }]
    }))
  }
}

function toldOf({ counters, rollups, failureGroups }: BatchSummary, now: number) {
  const ofScope = (scope: string) => counters.filter(each => each.scope === scope)
  const totals = (scope: string) => Object.fromEntries(ofScope(scope).map(({ name, success, failed, durationMs, timed, last }) => {
    const { executionId, status, finishedAt, startedAt, submittedAt } = last
    return [name, {
      success, failed, totalDurationMs: durationMs, timed,
      last: { executionId, status, finishedAt, durationMs: last.durationMs, beganAt: startedAt ?? submittedAt }
    }]
  }))
  const [overall] = ofScope('overall')
  const trendFrom = Math.floor(now / HOUR_MS) - 23
  return {
    rollups: rollups.map(({ span, number, taskName, tally }) => rollupOf(span, number, taskName, tally)).sort(),
    totals: { success: overall!.success, failed: overall!.failed },
    tasks: totals('task'),
    schedules: totals('schedule'),
    groups: Object.fromEntries(failureGroups.map((
      { errorGroup, count, firstSeenAt, last: { execution, frame }, tasks, hours }
    ) => [errorGroup, {
      count, firstSeenAt, lastSeenAt: execution.finishedAt, lastExecutionId: execution.executionId, type: execution.error!.type,
      message: execution.error!.message, frame, tasks: Object.fromEntries(tasks),
      day: sumOf([...hours].filter(([hour]) => hour >= trendFrom).flatMap(([, each]) => [...each.values()]))
    }]))
  }
}

function rollupOf(
  span: string, number: number, taskName: string, { success, failed, duration, wait }: BatchSummary['rollups'][number]['tally']
): string {
  const bins = (histogram: typeof duration) => [...histogram].sort(([a], [b]) => a - b)
  return JSON.stringify([span, number, taskName, success, failed, bins(duration), bins(wait)])
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0)
}

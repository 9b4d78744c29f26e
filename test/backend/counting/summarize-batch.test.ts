import t from 'tap'
import { type RollupAddition, summarizeBatch } from '../../../lib/backend/counting/summarize-batch.ts'
import { OVERALL } from '../../../lib/backend/counting/tally.ts'
import { toLedgerEntries } from '../../../lib/backend/entry/ledger-entry.ts'
import type { FinishedExecution } from '../../../lib/execution.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../lib/time/units.ts'
import { makeExecution } from '../make-execution.ts'

/** Noon, so that nothing below crosses midnight. */
const NOW = Date.UTC(2026, 5, 15, 12)

/** Ids default to the index, so ids order the executions as given. */
const summarize = (executions: ReadonlyArray<Partial<FinishedExecution>>, nowMs = NOW) =>
  summarizeBatch(toLedgerEntries(executions.map((each, i) => makeExecution({ executionId: String(i), finishedAt: NOW, ...each }))), nowMs)

t.test('an empty batch adds nothing', async t => {
  t.strictSame(summarizeBatch([], NOW), { counters: [], rollups: [], failureGroups: [] })
})

t.test('counters are kept overall, per task and per schedule; an unknown duration is left out of every sum', async t => {
  const { counters } = summarize([
    { executionId: 'a', taskName: 'x', durationMs: 10, scheduleId: 's' },
    { executionId: 'b', taskName: 'x', durationMs: null },
    { executionId: 'c', taskName: 'y', durationMs: 0.5, status: 'failed' }
  ])
  t.strictSame(counters.map(({ last, ...each }) => ({ ...each, last: last.executionId })), [
    { scope: 'overall', name: OVERALL, success: 2, failed: 1, durationMs: 10.5, timed: 2, last: 'c' },
    { scope: 'task', name: 'x', success: 2, failed: 0, durationMs: 10, timed: 1, last: 'b' },
    { scope: 'task', name: 'y', success: 0, failed: 1, durationMs: 0.5, timed: 1, last: 'c' },
    { scope: 'schedule', name: 's', success: 1, failed: 0, durationMs: 10, timed: 1, last: 'a' }
  ])
})

for (const { title, executions, last } of [
  { title: 'the last finish', executions: [{ executionId: 'b', finishedAt: NOW - 1 }, { executionId: 'a', finishedAt: NOW }], last: 'a' },
  {
    title: 'the one with the greatest id of those finished in one millisecond',
    executions: [{ executionId: 'b' }, { executionId: 'c' }, { executionId: 'a' }],
    last: 'c'
  }
]) {
  t.test(`the last execution is ${title}, for counters and failure groups alike`, async t => {
    const { counters, failureGroups } = summarize(executions.map(each => ({ ...each, status: 'failed' as const })))
    t.strictSame(counters.map(each => each.last.executionId), [last, last])
    t.equal(failureGroups[0]!.last.execution.executionId, last)
  })
}

const told = ({ span, number, taskName, tally: { success, failed, duration, wait } }: RollupAddition) =>
  [span, number, taskName, success, failed, [...duration], [...wait]]

t.test('roll-ups count per minute, hour and day, overall and per task, and equal tallies are shared', async t => {
  const { rollups } = summarize([
    { taskName: 'x', durationMs: 3, waitMs: 1 }, { taskName: 'x', durationMs: 3, waitMs: null },
    { taskName: 'y', durationMs: null, waitMs: 1, status: 'failed' }
  ])
  const [all, x, y] = [[2, 1, [[3, 2]], [[1, 2]]], [2, 0, [[3, 2]], [[1, 1]]], [0, 1, [], [[1, 1]]]] as const
  t.strictSame(rollups.map(told), ([['minute', MINUTE_MS], ['hour', HOUR_MS], ['day', DAY_MS]] as const).flatMap(([span, ms]) => {
    const number = Math.floor(NOW / ms)
    return [[span, number, OVERALL, ...all], [span, number, 'x', ...x], [span, number, 'y', ...y]]
  }))
  t.equal(new Set(rollups.map(each => each.tally)).size, 3)
})

t.test('minutes of one hour stay separate and add up in the hour', async t => {
  const { rollups } = summarize([{ durationMs: 1, waitMs: 7 }, { durationMs: 1, waitMs: 8, finishedAt: NOW + MINUTE_MS }])
  const [minute, hour, day] = [MINUTE_MS, HOUR_MS, DAY_MS].map(ms => Math.floor(NOW / ms)) as [number, number, number]
  t.strictSame(rollups.filter(each => each.taskName === OVERALL).map(told), [
    ['minute', minute, OVERALL, 1, 0, [[1, 1]], [[7, 1]]],
    ['minute', minute + 1, OVERALL, 1, 0, [[1, 1]], [[8, 1]]],
    ['hour', hour, OVERALL, 2, 0, [[1, 2]], [[7, 1], [8, 1]]],
    ['day', day, OVERALL, 2, 0, [[1, 2]], [[7, 1], [8, 1]]]
  ])
})

const KEPT = {
  'minute of a task': [MINUTE_MS, 6 * HOUR_MS], 'minute overall': [MINUTE_MS, 48 * HOUR_MS],
  'hour of a task': [HOUR_MS, 90 * DAY_MS], 'hour overall': [HOUR_MS, 90 * DAY_MS],
  'day of a task': [DAY_MS, 3_650 * DAY_MS], 'day overall': [DAY_MS, 3_650 * DAY_MS]
} as const

for (const [name, [spanMs, keptMs]] of Object.entries(KEPT)) {
  t.test(`a ${name} is counted until its retention has passed`, async t => {
    const finishedAt = NOW - NOW % spanMs
    const expiresAtMs = finishedAt + spanMs + keptMs
    const isCounted = (nowMs: number) => summarize([{ finishedAt }], nowMs).rollups.some(each =>
      `${each.span} ${each.taskName === OVERALL ? 'overall' : 'of a task'}` === name && each.expiresAtMs === expiresAtMs)
    t.strictSame([isCounted(expiresAtMs - 1), isCounted(expiresAtMs)], [true, false])
  })
}

t.test('failures are grouped with their tasks and hours; a success belongs to no group', async t => {
  const failed = { status: 'failed', errorGroup: 'g' } as const
  const { failureGroups } = summarize([
    { ...failed, executionId: 'a', taskName: 'x' }, { ...failed, executionId: 'b', taskName: 'y', finishedAt: NOW - HOUR_MS },
    { ...failed, executionId: 'c', taskName: 'x' }, { ...failed, executionId: 'd', errorGroup: 'h' },
    { executionId: 'e' }, { executionId: 'f', error: { type: 'Error', message: 'warned', stack: null }, errorGroup: 'g' }
  ])
  const hour = NOW / HOUR_MS
  t.strictSame(failureGroups.map(({ last, ...each }) => ({ ...each, last: last.execution.executionId })), [
    {
      errorGroup: 'g', count: 3, firstSeenAt: NOW - HOUR_MS, last: 'c', tasks: new Map([['x', 2], ['y', 1]]),
      hours: new Map([[hour, new Map([['x', 2]])], [hour - 1, new Map([['y', 1]])]])
    },
    {
      errorGroup: 'h', count: 1, firstSeenAt: NOW, last: 'd', tasks: new Map([['email:send', 1]]),
      hours: new Map([[hour, new Map([['email:send', 1]])]])
    }
  ])
})

t.test('a failure is always counted, its hour only until that hour ended ninety days ago', async t => {
  const hoursOf = (nowMs: number) => summarize([{ status: 'failed' }], nowMs).failureGroups.map(({ count, hours }) => [count, hours.size])
  const end = NOW + HOUR_MS + 90 * DAY_MS
  t.strictSame([hoursOf(end - 1), hoursOf(end)], [[[1, 1]], [[1, 0]]])
})

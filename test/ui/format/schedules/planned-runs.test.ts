import t from 'tap'
import { toPlannedRuns } from '../../../../ui/src/format/schedules/planned-runs.ts'

type Runs = Parameters<typeof toPlannedRuns>[0]
type Misses = Parameters<typeof toPlannedRuns>[1]

const at = (minute: number, second = 0): string => new Date(Date.UTC(2026, 10, 21, 9, minute, second)).toISOString()
const run = (minute: number, rest: Partial<Runs[number]> = {}): Runs[number] => ({
  execution_id: `repeat:s:${minute}`, task_name: 'report', queue: 'report', status: 'success', state: 'completed', attempt: 1,
  max_attempts: 1, priority: 0, schedule_id: 's', retry_of: null, worker_id: null, submitted_at: at(0), planned_at: at(minute),
  started_at: at(minute, 2), finished_at: at(minute, 3), next_attempt_at: null, cancelling_since: null, wait_ms: 2_000, duration_ms: 1_000,
  progress: null, error: null, error_group: null, ...rest
})
const miss = (kind: 'missed' | 'late', first: number, rest: Partial<Misses[number]> = {}): Misses[number] => ({
  kind, reason: 'busy', first_due_at: at(first), last_due_at: at(first), count: 1, recorded_at: at(first),
  late_by_ms: kind === 'late' ? 90_000 : null, execution_id: null, ...rest
})

t.test('planned and actual runs are one list, the latest plan first', t => {
  const runs = toPlannedRuns(
    [run(30, { status: 'running', finished_at: null }), run(20, { status: 'failed' }), run(5)],
    [miss('missed', 10, { last_due_at: at(15), count: 2 })], [at(40), at(50)], false
  )
  t.same(runs.map(({ outcome, plannedAt }) => [outcome, new Date(plannedAt).getUTCMinutes()]), [
    ['upcoming', 50], ['upcoming', 40], ['running', 30], ['failed', 20], ['missed', 10], ['success', 5]
  ])
  t.same(runs[4], {
    plannedAt: Date.parse(at(10)), lastPlannedAt: Date.parse(at(15)), count: 2, outcome: 'missed', startedAt: null, driftMs: null,
    execution: null, miss: miss('missed', 10, { last_due_at: at(15), count: 2 })
  })
  t.end()
})

t.test('the drift is that of the first start, however many attempts there were', t => {
  const driftOf = (rest: Partial<Runs[number]>): unknown => {
    const [{ startedAt, driftMs }] = toPlannedRuns([run(10, rest)], [], [], false) as [ReturnType<typeof toPlannedRuns>[number]]
    return [startedAt === null ? null : new Date(startedAt).toISOString(), driftMs]
  }
  t.same(driftOf({}), [at(10, 2), 2_000])
  t.same(driftOf({ attempt: 3, started_at: at(14), wait_ms: 2_000 }), [at(10, 2), 2_000])
  t.same(driftOf({ wait_ms: null }), [at(10, 2), 2_000])
  t.same(driftOf({ attempt: 3, started_at: at(14), wait_ms: null }), [null, null], 'the first start was lost')
  t.same(driftOf({ status: 'pending', attempt: 0, started_at: null, wait_ms: null }), [null, null])
  t.same(driftOf({ wait_ms: null, started_at: at(9, 59) }), [at(9, 59), 0], 'a clock that is behind')
  t.end()
})

t.test('a late run has its reason, and a manual run is not part of the plan', t => {
  const late = miss('late', 10, { execution_id: 'repeat:s:10' })
  const runs = toPlannedRuns([run(10), run(12, { planned_at: null })], [late], [at(10)], false)
  t.same(runs.map(({ plannedAt, miss }) => [plannedAt, miss]), [[Date.parse(at(10)), late]], 'and a started run is not upcoming')
  t.end()
})

t.test('misses before the oldest loaded run are left out, because there may be runs in between', t => {
  const missed = [miss('missed', 20), miss('missed', 1)]
  t.same(toPlannedRuns([run(30), run(10)], missed, [], true).map(({ outcome }) => outcome), ['success', 'missed', 'success'])
  t.equal(toPlannedRuns([run(30), run(10)], missed, [], false).length, 4)
  t.equal(toPlannedRuns([], missed, [], false).length, 2)
  t.end()
})

import t from 'tap'
import { mergeRuns, missReason } from '../../../../ui/src/format/schedules/run-history.ts'

type Runs = Parameters<typeof mergeRuns>[0]
type Misses = Parameters<typeof mergeRuns>[1]

const at = (minute: number): string => new Date(Date.UTC(2026, 10, 21, 9, minute)).toISOString()
const run = (id: string, minute: number): Runs[number] => ({
  execution_id: id, task_name: 'report', queue: 'report', status: 'success', state: 'completed', attempt: 1, max_attempts: 1, priority: 0,
  schedule_id: 's', retry_of: null, worker_id: null, submitted_at: at(minute), planned_at: null,
  started_at: at(minute), finished_at: at(minute), next_attempt_at: null, cancelling_since: null, wait_ms: 0, duration_ms: 1,
  progress: null, error: null, error_group: null
})
const miss = (kind: 'missed' | 'late', minute: number, executionId: string | null = null): Misses[number] => ({
  kind, reason: 'busy', first_due_at: at(minute), last_due_at: at(minute), count: 1, recorded_at: at(minute),
  late_by_ms: kind === 'late' ? 31_000 : null, execution_id: executionId
})

t.test('runs and misses are one list, newest first', async t => {
  const { entries, earlier } = mergeRuns([run('c', 30), run('a', 10)], [miss('missed', 20), miss('late', 9, 'a')], false)
  t.same(entries.map(entry => entry.kind === 'run' ? entry.execution.execution_id : entry.kind), ['c', 'missed', 'a'])
  t.same(entries.map(entry => entry.kind === 'run' && entry.late !== null), [false, false, true], 'a late run is one entry, not two')
  t.same(earlier, [])
})

t.test('misses before the oldest run shown are kept apart, because there are further runs in between', async t => {
  const misses = [miss('missed', 20), miss('missed', 1), miss('late', 2, 'gone')]
  const cut = mergeRuns([run('c', 30), run('a', 10)], misses, true)
  t.same(cut.entries.map(({ kind }) => kind), ['run', 'missed', 'run'])
  t.same(cut.earlier.map(({ kind }) => kind), ['late', 'missed'])
  t.equal(mergeRuns([run('c', 30), run('a', 10)], misses, false).entries.length, 5, 'nothing is kept apart when these are all the runs')
  t.equal(mergeRuns([], [miss('missed', 1)], false).entries.length, 1, 'a schedule that never ran')
})

t.test('every reason is put into words', async t => {
  for (const reason of ['no_worker', 'process_down', 'broker_away', 'busy', 'overlap'] as const) t.match(missReason({ reason }), / /)
})

import type { Schedule, ScheduleMiss } from '../../../schemas/index.ts'
import { ago, HOSTILE, LONG } from './frame.ts'

export const schedule: Schedule = {
  schedule_id: 's-1', schedule_type: 'cron', task_name: 'email:send', cron: '0 7 * * 1-5', interval_ms: null, timezone: 'Europe/Berlin',
  description: 'Daily report', human: 'At 07:00, Monday through Friday', args: ['daily', 30], enabled: true, priority: 0, overlap: 'skip',
  catch_up: 'one', jitter_ms: 5_000, start_at: null, end_at: null, source: 'code', version: 'v.1', task_registered: true, overdue: false,
  wins: 'live', drift: null, created_at: ago(900_000), updated_at: ago(90_000), next_run_at: ago(-3_600), last_run_at: ago(82_800),
  last_status: 'success', changes: 'all', note: null,
  stats: { runs: 1_204, success: 1_180, failed: 24, missed: 0, late: 2, avg_duration_ms: 1_420 }
}

export const schedules: readonly Schedule[] = [
  schedule,
  {
    ...schedule, schedule_id: 's-2', description: null, schedule_type: 'interval', cron: null, interval_ms: 30_000, human: 'Every 30 s',
    source: 'api', wins: null, enabled: false, next_run_at: null, last_run_at: null, last_status: null,
    stats: { runs: 0, success: 0, failed: 0, missed: 0, late: 0, avg_duration_ms: null }
  },
  {
    ...schedule, schedule_id: 's-3', description: 'Nightly import', overdue: true, task_registered: false, last_status: 'failed',
    stats: { runs: 181, success: 12, failed: 83, missed: 86, late: 4, avg_duration_ms: 90_000 },
    drift: { fields: [{ field: 'cron', code: '0 3 * * *', live: '0 7 * * 1-5', since: ago(90_000), by: 'ada' }] }
  },
  {
    ...schedule, schedule_id: 's-4', description: 'cleanup (job of other code)', changes: 'none',
    note: 'A repeatable job from before BullMQ had job schedulers: it is shown and left alone',
    stats: { runs: null, success: null, failed: null, missed: null, late: null, avg_duration_ms: null }
  }
]

export const hostileSchedule: Schedule = {
  ...schedule, task_name: HOSTILE, description: `${HOSTILE} ${LONG}`, human: HOSTILE, args: [HOSTILE], note: HOSTILE,
  drift: { fields: [{ field: 'args', code: [HOSTILE], live: [LONG], since: null, by: HOSTILE }] }
}

export const miss: ScheduleMiss = {
  kind: 'missed', reason: 'process_down', first_due_at: ago(7_200), last_due_at: ago(3_600), count: 3, recorded_at: ago(3_500),
  late_by_ms: null,
  execution_id: null
}

export const late: ScheduleMiss = {
  ...miss, kind: 'late', reason: 'busy', first_due_at: ago(90_000), last_due_at: ago(90_000), count: 1, late_by_ms: 95_000,
  execution_id: 'e-5'
}

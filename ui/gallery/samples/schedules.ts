import type { Schedule, ScheduleMiss, SchedulePreview } from '../../../schemas/index.ts'
import { ago, ahead, HOSTILE, LONG } from './texts.ts'

export const schedule: Schedule = {
  schedule_id: 'daily-report', description: 'Daily report', task_name: 'reports:daily', priority: 0, created_at: ago(900_000),
  args: ['daily', 30],
  note: null, version: '1', schedule_type: 'cron', cron: '0 8 * * *', interval_ms: null, timezone: 'Europe/Berlin', human: 'At 08:00 AM',
  enabled: true, overlap: 'allow', catch_up: 'none', jitter_ms: 0, start_at: null, end_at: null, source: 'api', task_registered: true,
  overdue: false, wins: null, drift: null, updated_at: ago(90_000), next_run_at: ahead(4_000), last_run_at: ago(80_000),
  last_status: 'success', changes: 'all', stats: { runs: 120, success: 118, failed: 2, missed: 0, late: 1, avg_duration_ms: 1_840 }
}

export const troubledSchedule: Schedule = {
  ...schedule, schedule_id: 'troubled', description: 'Invoices', overdue: true, task_registered: false, last_status: 'failed',
  next_run_at: ago(700), stats: { ...schedule.stats, missed: 14, failed: 90, success: 30 }
}

export const disabledSchedule: Schedule = {
  ...schedule, schedule_id: 'off', description: 'Old export', enabled: false, next_run_at: null, schedule_type: 'interval', cron: null,
  interval_ms: 90_000, human: 'Every 90 s'
}

/** Of an existing queue: what no one counted is not known. */
export const unknownSchedule: Schedule = {
  ...schedule, schedule_id: 'of-others', description: null, changes: 'none', last_run_at: null, last_status: null, next_run_at: null,
  stats: { runs: null, success: null, failed: null, missed: null, late: null, avg_duration_ms: null }
}

export const editedSchedule: Schedule = {
  ...schedule, schedule_id: 'edited', source: 'code', wins: 'live',
  drift: {
    fields: [
      { field: 'cron', code: '0 8 * * *', live: '30 8 * * *', by: 'ada@example.com', since: ago(4_000) },
      { field: 'args', code: ['daily'], live: [HOSTILE], by: null, since: null }
    ]
  }
}

export const longSchedule: Schedule = {
  ...troubledSchedule, schedule_id: 'long', description: LONG, task_name: LONG, note: LONG, human: LONG, args: [LONG],
  stats: { runs: 9e15, success: 8e15, failed: 1e15, missed: 1e15, late: 1e15, avg_duration_ms: 31_536_000_000 }
}

export const hostileSchedule: Schedule = {
  ...troubledSchedule, schedule_id: HOSTILE, description: HOSTILE, task_name: HOSTILE, note: HOSTILE, human: HOSTILE, timezone: HOSTILE,
  cron: HOSTILE, args: [HOSTILE]
}

export const schedules: readonly Schedule[] = [schedule, troubledSchedule, disabledSchedule, unknownSchedule, editedSchedule]

export const miss: ScheduleMiss = {
  kind: 'missed', reason: 'process_down', execution_id: null, count: 3, first_due_at: ago(9_000), last_due_at: ago(7_000),
  recorded_at: ago(6_000), late_by_ms: null
}

export const late: ScheduleMiss = { ...miss, kind: 'late', reason: 'busy', execution_id: '0199-e2', count: 1, late_by_ms: 95_000 }

export const preview: SchedulePreview = {
  description: 'At 02:30 AM', timezone: 'Europe/Berlin',
  runs: [
    { at: '2027-03-27T01:30:00.000Z', local: '2027-03-27T02:30:00', offset: '+01:00', note: null },
    { at: '2027-03-28T01:00:00.000Z', local: '2027-03-28T03:00:00', offset: '+02:00', note: 'dst_gap' },
    { at: '2027-10-31T00:30:00.000Z', local: '2027-10-31T02:30:00', offset: '+02:00', note: 'dst_overlap' }
  ]
}

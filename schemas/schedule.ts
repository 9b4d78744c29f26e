import { Type, type Static, type TSchema } from '@sinclair/typebox'
import {
  CHANGES, Count, DurationMs, ExecutionId, Nullable, Ref, ScheduleId, StringEnum, TaskName, TaskNameInput, Timestamp, TimestampInput, named
} from './common.ts'
import { SentArguments } from './arguments.ts'
import { MAX_INTERVAL_MS, MAX_JITTER_MS, MAX_PRIORITY, PRINTABLE } from './limits.ts'
import { MAX_CURSOR_LENGTH, PageOf } from './page.ts'
import { DAY_MS, SECOND_MS } from './units.ts'

export const SCHEDULE_TYPES = ['cron', 'interval'] as const
export type ScheduleType = (typeof SCHEDULE_TYPES)[number]

/** `skip` skips a run that is due while the previous one is still running. */
export const OVERLAP_POLICIES = ['allow', 'skip'] as const
export type OverlapPolicy = (typeof OVERLAP_POLICIES)[number]

export const SCHEDULE_SOURCES = ['api', 'code'] as const
export type ScheduleSource = (typeof SCHEDULE_SOURCES)[number]

/** After an outage: missed runs stay missed (`none`), or a single late run stands for all of them (`one`). */
export const CATCH_UP_POLICIES = ['none', 'one'] as const
export type CatchUpPolicy = (typeof CATCH_UP_POLICIES)[number]

/** For an edited schedule from code: the next deployment keeps the edit (`live`) or reverts it (`code`). */
export const DRIFT_WINNERS = ['live', 'code'] as const
export type DriftWinner = (typeof DRIFT_WINNERS)[number]

/**
 * Why a run was missed or late: no process runs the task; no process was running at all; the broker was unavailable or lost its data; the
 * workers were busy; the previous run was still running (`overlap: skip`); or only the owner of the queue could know.
 */
export const MISS_REASONS = ['no_worker', 'process_down', 'broker_away', 'busy', 'overlap', 'unknown'] as const
export type MissReason = (typeof MISS_REASONS)[number]

export const MISS_KINDS = ['missed', 'late'] as const
export type MissKind = (typeof MISS_KINDS)[number]

export const MAX_AGENDA_MS = 7 * DAY_MS
export const MAX_CRON_LENGTH = 256
export const MAX_DESCRIPTION_LENGTH = 1000
export const INTERVAL_MIN_MS = SECOND_MS
export const MAX_SCHEDULE_LIST_LIMIT = 1000
export const MAX_PREVIEW_COUNT = 100

export const ScheduleStats = named('ScheduleStats', Type.Object({
  runs: Nullable(Count, {
    description: 'Like `success` and `failed`, null in the response to a write while the result backend is out of reach'
  }),
  success: Nullable(Count),
  failed: Nullable(Count),
  missed: Nullable(Count, {
    description: 'Due runs that did not happen, including those skipped by `overlap: skip`; null if it cannot be known, and `note` says why'
  }),
  late: Nullable(Count, { description: 'Runs that started more than 30 s after they were due; null if it cannot be known' }),
  avg_duration_ms: Nullable(DurationMs)
}, { additionalProperties: false }))
export type ScheduleStats = Static<typeof ScheduleStats>

export const ScheduleDrift = named('ScheduleDrift', Type.Object({
  fields: Type.Array(Type.Object({
    field: Type.String({ description: 'Name of the field of the schedule' }),
    code: Type.Unknown({ description: 'Value in the code' }),
    live: Type.Unknown({ description: 'Live value' }),
    since: Type.Union([Timestamp, Type.Null()]),
    by: Nullable(Type.String(), { description: 'User who changed it; null if unknown' })
  }, { additionalProperties: false }))
}, { additionalProperties: false, description: 'Fields where the live schedule differs from the code' }))
export type ScheduleDrift = Static<typeof ScheduleDrift>

export const Schedule = named('Schedule', Type.Object({
  schedule_id: ScheduleId,
  schedule_type: StringEnum(SCHEDULE_TYPES),
  task_name: TaskName,
  cron: Nullable(Type.String()),
  interval_ms: Nullable(DurationMs),
  timezone: Type.String({ description: 'IANA name' }),
  description: Nullable(Type.String()),
  human: Type.String({ description: 'The schedule in words' }),
  args: Type.Array(Type.Unknown()),
  enabled: Type.Boolean(),
  priority: Type.Integer({ minimum: 0, maximum: MAX_PRIORITY }),
  overlap: StringEnum(OVERLAP_POLICIES),
  catch_up: StringEnum(CATCH_UP_POLICIES),
  jitter_ms: Type.Integer({ minimum: 0, maximum: MAX_JITTER_MS }),
  start_at: Nullable(Timestamp),
  end_at: Nullable(Timestamp),
  source: StringEnum(SCHEDULE_SOURCES),
  version: Type.String({ description: 'Changes whenever the definition changes; for If-Match' }),
  task_registered: Type.Boolean({ description: 'Whether a process registers the task; false after five minutes without one' }),
  overdue: Type.Boolean({ description: 'No worker has taken a due run for over 30 s' }),
  wins: Nullable(StringEnum(DRIFT_WINNERS), { description: 'Only for schedules from code, otherwise null' }),
  drift: Nullable(Ref(ScheduleDrift)),
  created_at: Timestamp,
  updated_at: Timestamp,
  next_run_at: Nullable(Timestamp, { description: 'null while disabled' }),
  last_run_at: Nullable(Timestamp),
  last_status: Nullable(StringEnum(['running', 'success', 'failed'] as const)),
  changes: StringEnum(CHANGES, {
    description: 'What can be changed by those who may: all; some of a schedule of an existing queue, which its owner alone creates and ' +
      'deletes; or none, if such a schedule is only observed'
  }),
  note: Nullable(Type.String(), {
    description: 'Of a schedule of an existing queue: what cannot be known of it, or will not happen, and why; null if there is none'
  }),
  stats: Ref(ScheduleStats)
}, { additionalProperties: false }))
export type Schedule = Static<typeof Schedule>

export const ScheduleList = Type.Array(Ref(Schedule))

const TimeZone = Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9_+/-]+$', default: 'UTC', description: 'IANA name' })

const editableFields = {
  description: Type.Optional(Nullable(Type.String({ maxLength: MAX_DESCRIPTION_LENGTH, pattern: '^[^\\p{Cs}\\u0000]*$' }))),
  args: Type.Optional(SentArguments),
  enabled: Type.Optional(Type.Boolean({ default: true })),
  priority: Type.Optional(Type.Integer({
    minimum: 0, maximum: MAX_PRIORITY, default: 0, description: '0 is no priority and runs first, then 1 (most urgent) upward'
  })),
  timezone: Type.Optional(TimeZone),
  overlap: Type.Optional(StringEnum(OVERLAP_POLICIES, { default: 'allow' })),
  catch_up: Type.Optional(StringEnum(CATCH_UP_POLICIES, {
    default: 'none', description: 'After an outage: `none`, missed runs stay missed; `one`, a single late run stands for all of them'
  })),
  jitter_ms: Type.Optional(Type.Integer({
    minimum: 0, maximum: MAX_JITTER_MS, default: 0,
    description: 'Delays each run by 0 to this many milliseconds, always the same for the same instant'
  })),
  start_at: Type.Optional(Nullable(TimestampInput, { description: 'No run is due before it' })),
  end_at: Type.Optional(Nullable(TimestampInput, { description: 'No run is due after it' }))
}

const inputFields = { task_name: TaskNameInput, ...editableFields }

const CronText = Type.String({
  minLength: 1, maxLength: MAX_CRON_LENGTH, pattern: PRINTABLE,
  description: 'Exactly five fields: minute, hour, day of month, month, day of week'
})
const IntervalMs = Type.Integer({ minimum: INTERVAL_MIN_MS, maximum: MAX_INTERVAL_MS })

export const CronScheduleInput = named('CronScheduleInput', Type.Object({
  ...inputFields,
  cron: CronText
}, { additionalProperties: false }))
export type CronScheduleInput = Static<typeof CronScheduleInput>

export const IntervalScheduleInput = named('IntervalScheduleInput', Type.Object({
  ...inputFields,
  interval_ms: IntervalMs
}, { additionalProperties: false }))
export type IntervalScheduleInput = Static<typeof IntervalScheduleInput>

/** In a PATCH, a default would be an unintended edit. */
function withoutDefaults<Fields extends Record<string, TSchema>>(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).map(([name, { default: _default, ...schema }]) => [name, schema])) as Fields
}

export const ScheduleChanges = named('ScheduleChanges', Type.Object({
  ...withoutDefaults(editableFields),
  cron: Type.Optional(CronText),
  interval_ms: Type.Optional(IntervalMs),
  wins: Type.Optional(StringEnum(DRIFT_WINNERS, { description: 'Only for schedules from code; `code` reverts all edits' }))
},
{
  additionalProperties: false, minProperties: 1,
  description: 'Fields you leave out do not change. `cron` is only for cron schedules, `interval_ms` only for intervals'
}))
export type ScheduleChanges = Static<typeof ScheduleChanges>

export const IfMatchHeaders = Type.Object({
  'if-match': Type.Optional(Type.String({
    maxLength: 1000, description: 'The `ETag` of the schedule, or `*`. If the schedule has changed since, the response is 409'
  }))
})

export const ScheduleRun = named('ScheduleRun', Type.Object({
  execution_id: ExecutionId
}, { additionalProperties: false }))
export type ScheduleRun = Static<typeof ScheduleRun>

export const ScheduleMiss = named('ScheduleMiss', Type.Object({
  kind: StringEnum(MISS_KINDS),
  reason: StringEnum(MISS_REASONS),
  first_due_at: Timestamp,
  last_due_at: Timestamp,
  count: Type.Integer({ minimum: 1, description: 'Number of runs in this entry' }),
  recorded_at: Timestamp,
  late_by_ms: Nullable(DurationMs, { description: 'For late runs' }),
  execution_id: Nullable(ExecutionId, { description: 'For late runs' })
}, { additionalProperties: false }))
export type ScheduleMiss = Static<typeof ScheduleMiss>
export const ScheduleMissPage = named('ScheduleMissPage', PageOf(Ref(ScheduleMiss)))
export type ScheduleMissPage = Static<typeof ScheduleMissPage>

export const ScheduleAgendaQuery = Type.Object({
  from: Type.Optional(TimestampInput),
  to: Type.Optional(TimestampInput)
}, { additionalProperties: false, description: 'At most seven days; by default 24 hours from the start of the current hour' })
export type ScheduleAgendaQuery = Static<typeof ScheduleAgendaQuery>

export const ScheduleAgenda = named('ScheduleAgenda', Type.Object({
  from: Timestamp,
  to: Timestamp,
  hours: Type.Array(Timestamp, { description: 'Start of each hour, in UTC' }),
  totals: Type.Array(Count, { description: 'Runs of all schedules, hour by hour' }),
  schedules: Type.Array(Type.Object({
    schedule_id: ScheduleId,
    task_name: TaskName,
    description: Nullable(Type.String()),
    total: Count,
    counts: Type.Array(Count, { description: 'Runs, hour by hour' })
  }, { additionalProperties: false }), { description: 'Enabled schedules with runs in these hours, most runs first' })
}, { additionalProperties: false, description: 'Ignores jitter' }))
export type ScheduleAgenda = Static<typeof ScheduleAgenda>

export const SCHEDULE_ORDERS = ['created', 'next_run'] as const

export const ScheduleListQuery = Type.Object({
  enabled_only: Type.Optional(Type.Boolean({ default: false })),
  task_name: Type.Optional(TaskNameInput),
  search: Type.Optional(Type.String({
    minLength: 1, maxLength: 200, pattern: PRINTABLE, description: 'Part of the id, task, cron or description, ignoring case'
  })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_SCHEDULE_LIST_LIMIT, default: MAX_SCHEDULE_LIST_LIMIT })),
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: MAX_CURSOR_LENGTH })),
  order: Type.Optional(StringEnum(SCHEDULE_ORDERS, {
    default: 'created',
    description:
      '`created`: oldest first. `next_run`: soonest first, those without a next run last; a single page, without `cursor`'
  }))
}, { additionalProperties: false })
export type ScheduleListQuery = Static<typeof ScheduleListQuery>

export const ScheduleDeleted = named('ScheduleDeleted', Type.Object({
  schedule_id: ScheduleId,
  deleted: Type.Literal(true)
}, { additionalProperties: false }))
export type ScheduleDeleted = Static<typeof ScheduleDeleted>

export const SchedulePreviewQuery = Type.Object({
  cron: Type.Optional(Type.String({ minLength: 1, maxLength: MAX_CRON_LENGTH, pattern: PRINTABLE })),
  interval_ms: Type.Optional(Type.Integer({ minimum: INTERVAL_MIN_MS, maximum: MAX_INTERVAL_MS })),
  timezone: Type.Optional(TimeZone),
  count: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_PREVIEW_COUNT, default: 10 })),
  from: Type.Optional(TimestampInput)
}, { additionalProperties: false, description: 'Exactly one of cron and interval_ms' })
export type SchedulePreviewQuery = Static<typeof SchedulePreviewQuery>

/** `dst_gap`: the local time does not exist that day, so the run is moved. `dst_overlap`: the local time occurs twice that day. */
export const RUN_NOTES = ['dst_gap', 'dst_overlap'] as const
export type RunNote = (typeof RUN_NOTES)[number]

export const SchedulePreview = named('SchedulePreview', Type.Object({
  description: Type.String({ description: 'The schedule in words' }),
  timezone: Type.String(),
  runs: Type.Array(Type.Object({
    at: Timestamp,
    local: Type.String({ description: 'Local time in the zone, 2026-03-29T03:30:00' }),
    offset: Type.String({ description: 'UTC offset then, +02:00' }),
    note: Nullable(StringEnum(RUN_NOTES))
  }, { additionalProperties: false }))
}, { additionalProperties: false }))
export type SchedulePreview = Static<typeof SchedulePreview>

import { Type, type Static } from '@sinclair/typebox'
import { Count, DurationMs, Nullable, PRINTABLE, Ref, ScheduleId, StringEnum, TaskName, Timestamp, TimestampInput, named } from './common.ts'
import { CURSOR_MAX_LENGTH } from './page.ts'

export const SCHEDULE_TYPES = ['cron', 'interval'] as const
export type ScheduleType = (typeof SCHEDULE_TYPES)[number]

/** `skip`: a run that is due while the one before it still runs is left out. */
export const OVERLAP_POLICIES = ['allow', 'skip'] as const
export type OverlapPolicy = (typeof OVERLAP_POLICIES)[number]

export const SCHEDULE_SOURCES = ['api', 'code'] as const
export type ScheduleSource = (typeof SCHEDULE_SOURCES)[number]

export const CRON_MAX_LENGTH = 256
export const DESCRIPTION_MAX_LENGTH = 1000
export const ARGS_MAX_ITEMS = 100
export const ARGS_MAX_BYTES = 64 * 1024
export const PRIORITY_MAX = 2_097_151
export const INTERVAL_MIN_MS = 1000
export const INTERVAL_MAX_MS = 31_536_000_000
export const SCHEDULE_LIST_LIMIT_MAX = 1000
export const PREVIEW_COUNT_MAX = 100

export const ScheduleStats = named('ScheduleStats', Type.Object({
  runs: Count,
  success: Count,
  failed: Count,
  missed: Type.Integer({ minimum: 0, description: 'Due runs that did not happen, those left out by `overlap: skip` among them' }),
  avg_duration_ms: Nullable(DurationMs)
}, { additionalProperties: false }))
export type ScheduleStats = Static<typeof ScheduleStats>

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
  priority: Type.Integer({ minimum: 0, maximum: PRIORITY_MAX }),
  overlap: StringEnum(OVERLAP_POLICIES),
  source: StringEnum(SCHEDULE_SOURCES),
  created_at: Timestamp,
  updated_at: Timestamp,
  next_run_at: Nullable(Timestamp, { description: 'null while disabled' }),
  last_run_at: Nullable(Timestamp),
  last_status: Nullable(StringEnum(['running', 'success', 'failed'] as const)),
  stats: Ref(ScheduleStats)
}, { additionalProperties: false }))
export type Schedule = Static<typeof Schedule>

export const ScheduleList = Type.Array(Ref(Schedule))

const TimeZone = Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9_+/-]+$', default: 'UTC', description: 'IANA name' })

const inputFields = {
  task_name: TaskName,
  description: Type.Optional(Nullable(Type.String({ maxLength: DESCRIPTION_MAX_LENGTH, pattern: '^[^\\p{Cs}\\u0000]*$' }))),
  args: Type.Optional(Type.Array(Type.Unknown(), { maxItems: ARGS_MAX_ITEMS, description: `Positional arguments, at most ${ARGS_MAX_BYTES} bytes as JSON` })),
  enabled: Type.Optional(Type.Boolean({ default: true })),
  priority: Type.Optional(Type.Integer({ minimum: 0, maximum: PRIORITY_MAX, default: 0, description: '0 is no priority and runs first, then 1 (most urgent) upward' })),
  timezone: Type.Optional(TimeZone),
  overlap: Type.Optional(StringEnum(OVERLAP_POLICIES, { default: 'allow' }))
}

export const CronScheduleInput = named('CronScheduleInput', Type.Object({
  ...inputFields,
  cron: Type.String({ minLength: 1, maxLength: CRON_MAX_LENGTH, pattern: PRINTABLE, description: 'Exactly five fields: minute, hour, day of month, month, day of week' })
}, { additionalProperties: false }))
export type CronScheduleInput = Static<typeof CronScheduleInput>

export const IntervalScheduleInput = named('IntervalScheduleInput', Type.Object({
  ...inputFields,
  interval_ms: Type.Integer({ minimum: INTERVAL_MIN_MS, maximum: INTERVAL_MAX_MS })
}, { additionalProperties: false }))
export type IntervalScheduleInput = Static<typeof IntervalScheduleInput>

export const ScheduleListQuery = Type.Object({
  enabled_only: Type.Optional(Type.Boolean({ default: false })),
  task_name: Type.Optional(TaskName),
  search: Type.Optional(Type.String({ minLength: 1, maxLength: 200, pattern: PRINTABLE, description: 'Case-insensitive part of the id, task, cron or description' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: SCHEDULE_LIST_LIMIT_MAX, default: SCHEDULE_LIST_LIMIT_MAX })),
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: CURSOR_MAX_LENGTH }))
}, { additionalProperties: false })
export type ScheduleListQuery = Static<typeof ScheduleListQuery>

export const ScheduleDeleted = named('ScheduleDeleted', Type.Object({
  schedule_id: ScheduleId,
  deleted: Type.Literal(true)
}, { additionalProperties: false }))
export type ScheduleDeleted = Static<typeof ScheduleDeleted>

export const SchedulePreviewQuery = Type.Object({
  cron: Type.Optional(Type.String({ minLength: 1, maxLength: CRON_MAX_LENGTH, pattern: PRINTABLE })),
  interval_ms: Type.Optional(Type.Integer({ minimum: INTERVAL_MIN_MS, maximum: INTERVAL_MAX_MS })),
  timezone: Type.Optional(TimeZone),
  count: Type.Optional(Type.Integer({ minimum: 1, maximum: PREVIEW_COUNT_MAX, default: 10 })),
  from: Type.Optional(TimestampInput)
}, { additionalProperties: false, description: 'Exactly one of cron and interval_ms' })
export type SchedulePreviewQuery = Static<typeof SchedulePreviewQuery>

/** `dst_gap`: the local time does not exist that day and the run moved; `dst_overlap`: it happens twice that day. */
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

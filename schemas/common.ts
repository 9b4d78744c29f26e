import { Type, type Static, type TSchema } from '@sinclair/typebox'
import {
  MAX_KEY_LENGTH, PERCENTILE_ERROR_PERCENT, PRINTABLE, MAX_SCHEDULE_ID_LENGTH, MAX_TASK_NAME_LENGTH,
  TASK_NAME_PATTERN
} from './limits.ts'

/**
 * Gives a schema an `$id`. Fastify registers it under that id, and OpenAPI lists it in `components.schemas`. The prefix avoids clashes with
 * a host's own schemas: a second schema with the same `$id` is an error.
 */
export function named<T extends TSchema>(name: string, schema: T): T {
  return { ...schema, $id: `TaskDashboard${name}` }
}

/** A typed reference to a schema made by `named`: `Type.Ref('id')` alone would have the static type `unknown`. */
export function Ref<T extends TSchema>(schema: T) {
  return Type.Unsafe<Static<T>>(Type.Ref(schema.$id!))
}

/** One of a fixed set of strings, as `enum`: smaller documents and clearer messages than an `anyOf` of constants. */
export function StringEnum<const T extends readonly string[]>(values: T, options: { description?: string; default?: T[number] } = {}) {
  return Type.Unsafe<T[number]>({ type: 'string', enum: [...values], ...options })
}

/** How much of a resource can be changed. `some` and `none` apply to resources of existing queues. */
export const CHANGES = ['all', 'some', 'none'] as const
export type Changes = (typeof CHANGES)[number]

export function Nullable<T extends TSchema>(schema: T, options: { description?: string } = {}) {
  return Type.Union([schema, Type.Null()], options)
}

/** RFC 3339 in UTC with milliseconds, `2026-11-20T09:00:00.000Z`. */
export const Timestamp = Type.String({ format: 'date-time', maxLength: 40, description: 'RFC 3339, UTC, milliseconds' })

/** An instant in a query: RFC 3339 with any offset. */
export const TimestampInput = Type.String({
  format: 'date-time', maxLength: 40, description: 'RFC 3339 instant, for example 2026-11-20T09:00:00Z'
})

export const DurationMs = Type.Number({ minimum: 0, description: 'milliseconds' })

export const Percentage = Type.Number({ minimum: 0, maximum: 100, description: 'percent, 0 to 100' })

export const Count = Type.Integer({ minimum: 0 })

/** A count for each hour of a day. */
export function HourlyCounts(description: string) {
  return Type.Array(Count, { minItems: 24, maxItems: 24, description })
}

/** Duration percentiles in milliseconds, from a histogram. */
export const Percentiles = named('Percentiles', Type.Object({
  p50: DurationMs,
  p95: DurationMs,
  p99: DurationMs
}, { description: `Percentiles in milliseconds, within ${PERCENTILE_ERROR_PERCENT} % of exact`, additionalProperties: false }))
export type Percentiles = Static<typeof Percentiles>

/*
 * Only input has patterns and maximum lengths. Generated clients check responses too, and some drop the `u` flag of a pattern or count
 * UTF-16 units.
 */
export const TaskName = Type.String({ minLength: 1, description: 'Name of a registered task' })
export const TaskNameInput = Type.String({ ...TaskName, maxLength: MAX_TASK_NAME_LENGTH, pattern: TASK_NAME_PATTERN })

export const ScheduleId = Type.String({ minLength: 1, description: 'Id of a schedule' })
export const ScheduleIdInput = Type.String({ ...ScheduleId, maxLength: MAX_SCHEDULE_ID_LENGTH, pattern: PRINTABLE })
export const ExecutionId = Type.String({ minLength: 1, description: 'Id of an execution' })
export const ExecutionIdInput = Type.String({ ...ExecutionId, maxLength: MAX_KEY_LENGTH, pattern: PRINTABLE })
export const WorkerIdInput = Type.String({
  minLength: 1, maxLength: MAX_KEY_LENGTH, pattern: PRINTABLE, description: 'Id of a process that runs tasks'
})
export const ErrorGroup = Type.String({ minLength: 1, description: 'Fingerprint of an error; similar errors share it' })
export const ErrorGroupInput = Type.String({ ...ErrorGroup, maxLength: MAX_KEY_LENGTH, pattern: PRINTABLE })

export const TaskNameParams = Type.Object({ name: TaskNameInput }, { additionalProperties: false })
export const ScheduleIdParams = Type.Object({ id: ScheduleIdInput }, { additionalProperties: false })
export const ExecutionIdParams = Type.Object({ id: ExecutionIdInput }, { additionalProperties: false })

/** A query string without parameters. Unknown ones are refused, so a typo never silently returns everything. */
export const NoQuery = Type.Object({}, { additionalProperties: false })

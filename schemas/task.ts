import { Type, type Static } from '@sinclair/typebox'
import { Count, DurationMs, ExecutionId, Nullable, Percentage, Percentiles, Ref, StringEnum, TaskName, Timestamp, named } from './common.ts'
import { EXECUTION_STATUSES } from './execution.ts'

/**
 * `io` runs on the event loop, `cpu` in a process of its own. No task is `external` yet: it is kept for queues whose workers are not ours,
 * which cannot be attached so far.
 */
export const TASK_TYPES = ['io', 'cpu', 'external'] as const
export type TaskType = (typeof TASK_TYPES)[number]

export const StatusCounts = named('StatusCounts', Type.Object({
  pending: Count,
  running: Count,
  success: Count,
  failed: Count
},
{ description: 'pending and running are live, success and failed are counted since the backend was created', additionalProperties: false }))
export type StatusCounts = Static<typeof StatusCounts>

/** How the wait before an attempt grows. */
export const BACKOFF_TYPES = ['fixed', 'exponential'] as const

export const Backoff = named('Backoff', Type.Object({
  type: StringEnum(BACKOFF_TYPES, { description: 'exponential: each wait is twice as long as the one before, up to max_delay_ms' }),
  delay_ms: Type.Number({ minimum: 0, description: 'Before the second attempt' }),
  max_delay_ms: Type.Number({ minimum: 0, description: 'The longest wait' }),
  jitter: Type.Number({ minimum: 0, maximum: 1, description: 'The share of each wait that is left to chance' })
}, { additionalProperties: false }))
export type Backoff = Static<typeof Backoff>

export const RateLimit = named('RateLimit', Type.Object({
  max: Type.Integer({ minimum: 1, description: 'Attempts that may start in each window, over all processes' }),
  duration_ms: DurationMs
}, { additionalProperties: false }))
export type RateLimit = Static<typeof RateLimit>

const taskFields = {
  name: TaskName,
  type: StringEnum(TASK_TYPES),
  description: Nullable(Type.String()),
  queue: Type.String({ description: 'Name of the BullMQ queue' }),
  retries: Type.Integer({ minimum: 0, description: 'Attempts after the first one' }),
  retry_delay: Type.Number({ minimum: 0, description: 'seconds before the second attempt; see backoff for later ones' }),
  backoff: Ref(Backoff),
  rate_limit: Nullable(Ref(RateLimit)),
  rate_limited_until: Nullable(Timestamp, {
    description: 'Until then its rate limit lets no attempt start: what is due waits; null while it lets them'
  }),
  timeout_ms: Nullable(DurationMs),
  workers: Type.Integer({ minimum: 0, description: 'Processes that run this task now' }),
  schedules: Type.Integer({ minimum: 0, description: 'Schedules of this task' }),
  executions: Ref(StatusCounts),
  success_rate: Percentage,
  duration_ms: Nullable(Ref(Percentiles), { description: 'Over the last 24 hours; null when nothing finished' }),
  last_execution: Nullable(Type.Object({
    execution_id: ExecutionId,
    status: StringEnum(EXECUTION_STATUSES),
    finished_at: Timestamp
  }, { additionalProperties: false }))
}

export const Task = named('Task', Type.Object(taskFields, { additionalProperties: false }))
export type Task = Static<typeof Task>

export const TaskDetail = named('TaskDetail', Type.Object({
  ...taskFields,
  concurrency: Nullable(Type.Integer({ minimum: 1 }), { description: 'Executions at the same time, in each process' }),
  wait_ms: Nullable(Ref(Percentiles), { description: 'Over the last 24 hours; null when nothing finished' }),
  oldest_pending_ms: Nullable(DurationMs, {
    description: 'Age of the oldest execution that is due and has not started; null when there is none'
  }),
  first_seen_at: Timestamp,
  last_seen_at: Timestamp
}, { additionalProperties: false }))
export type TaskDetail = Static<typeof TaskDetail>

export const TaskList = Type.Array(Ref(Task))

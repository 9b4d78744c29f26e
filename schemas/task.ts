import { Type, type Static } from '@sinclair/typebox'
import { Count, DurationMs, ExecutionId, Nullable, Percentage, Percentiles, Ref, StringEnum, TaskName, Timestamp, named } from './common.ts'
import { SentArguments } from './arguments.ts'
import { EXECUTION_STATUSES } from './execution.ts'
import { MAX_DELAY_MS, MAX_PRIORITY } from './limits.ts'

/** `io` runs on the event loop, `cpu` in its own process. `external` is an existing queue, which other code fills and works on. */
export const TASK_TYPES = ['io', 'cpu', 'external'] as const
export type TaskType = (typeof TASK_TYPES)[number]

export const StatusCounts = named('StatusCounts', Type.Object({
  pending: Nullable(Count, { description: 'null: unknown' }),
  running: Nullable(Count, { description: 'null: unknown' }),
  success: Count,
  failed: Count
},
{
  description: 'pending and running are live; success and failed count from the creation of the result backend. Cancelled ones are in ' +
    'none. BullMQ does not count by the name of a job, so pending and running are null for one of several names in a queue',
  additionalProperties: false
}))
export type StatusCounts = Static<typeof StatusCounts>

/** How the wait before an attempt grows. */
export const BACKOFF_TYPES = ['fixed', 'exponential'] as const

export const Backoff = named('Backoff', Type.Object({
  type: StringEnum(BACKOFF_TYPES, { description: 'exponential: each wait is twice as long as the previous one, up to max_delay_ms' }),
  delay_ms: Type.Number({ minimum: 0, description: 'Before the second attempt' }),
  max_delay_ms: Type.Number({ minimum: 0, description: 'The longest wait' }),
  jitter: Type.Number({ minimum: 0, maximum: 1, description: 'The random share of each wait' })
}, { additionalProperties: false }))
export type Backoff = Static<typeof Backoff>

export const RateLimit = named('RateLimit', Type.Object({
  max: Type.Integer({ minimum: 1, description: 'Attempts that may start in each window, across all processes' }),
  duration_ms: DurationMs
}, { additionalProperties: false }))
export type RateLimit = Static<typeof RateLimit>

const taskFields = {
  name: TaskName,
  type: StringEnum(TASK_TYPES, {
    description: 'io runs on the event loop, cpu in its own process; external is an existing queue, which other code fills and works on'
  }),
  description: Nullable(Type.String()),
  queue: Type.String({ description: 'Name of the BullMQ queue' }),
  part_of: Nullable(TaskName, {
    description: 'For the jobs with one name in an existing queue: the task of the queue, which covers them. null for every other task'
  }),
  retries: Nullable(Type.Integer({ minimum: 0 }), {
    description: 'Attempts after the first one; null for an external task, where each execution has its own'
  }),
  retry_delay: Nullable(Type.Number({ minimum: 0 }), {
    description: 'Seconds before the second attempt; see backoff for later ones. null for an external task'
  }),
  backoff: Nullable(Ref(Backoff), { description: 'null for an external task, where each execution has its own' }),
  rate_limit: Nullable(Ref(RateLimit)),
  rate_limited_until: Nullable(Timestamp, {
    description: 'No attempt starts before this, because of the rate limit; null when not limited'
  }),
  timeout_ms: Nullable(DurationMs),
  workers: Nullable(Type.Integer({ minimum: 0 }), {
    description: 'Processes that run this task now, without those that stop; null for an external task, whose workers are not known'
  }),
  schedules: Nullable(Type.Integer({ minimum: 0 }), {
    description: 'Schedules of this task; null while those of its queue cannot be read, or if it has more than are shown'
  }),
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
  concurrency: Nullable(Type.Integer({ minimum: 1 }), { description: 'Maximum concurrent executions in each process' }),
  wait_ms: Nullable(Ref(Percentiles), { description: 'Over the last 24 hours; null when nothing finished' }),
  oldest_pending_ms: Nullable(DurationMs, {
    description: 'Age of the oldest execution that is due but has not started; null if none'
  }),
  first_seen_at: Timestamp,
  last_seen_at: Timestamp
}, { additionalProperties: false }))
export type TaskDetail = Static<typeof TaskDetail>

export const TaskRunInput = named('TaskRunInput', Type.Object({
  args: Type.Optional(SentArguments),
  priority: Type.Optional(Type.Integer({
    minimum: 0, maximum: MAX_PRIORITY, default: 0, description: '0 is no priority and runs first, then 1 (most urgent) upward'
  })),
  delay_ms: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_DELAY_MS, default: 0, description: 'Milliseconds before it may run' }))
}, { additionalProperties: false }))
export type TaskRunInput = Static<typeof TaskRunInput>

export const TaskRun = named('TaskRun', Type.Object({
  execution_id: ExecutionId,
  task_name: TaskName
}, { additionalProperties: false }))
export type TaskRun = Static<typeof TaskRun>

export const TaskList = Type.Array(Ref(Task))

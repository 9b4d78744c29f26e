import { Type, type Static } from '@sinclair/typebox'
import { Count, DurationMs, Nullable, Ref, StringEnum, TaskName, Timestamp, named } from './common.ts'
import { RateLimit } from './task.ts'

/** `paused`: nothing starts until somebody resumes it. */
export const QUEUE_STATES = ['running', 'paused'] as const
export type QueueState = (typeof QUEUE_STATES)[number]

export const Queue = named('Queue', Type.Object({
  name: Type.String({ description: 'Name of the BullMQ queue' }),
  task_name: TaskName,
  state: StringEnum(QUEUE_STATES, { description: 'paused: nothing starts until somebody resumes it' }),
  pending: Type.Integer({ minimum: 0, description: 'Ready, delayed and prioritised executions, without planned runs of schedules' }),
  running: Count,
  workers: Type.Integer({ minimum: 0, description: 'Processes that run its task now, without those that stop' }),
  concurrency: Nullable(Count, {
    description: 'Maximum concurrent executions over these processes, 0 for one that the broker refuses; null if unknown, because the ' +
      'version of one does not report it'
  }),
  utilisation: Nullable(Type.Number({ minimum: 0 }), {
    description: 'Percent of concurrency that is running; null if concurrency is 0 or unknown. Over 100 while executions of a process ' +
      'that stops or died still count as running'
  }),
  oldest_pending_ms: Nullable(DurationMs, {
    description: 'Age of the oldest execution that is due but has not started; null if none'
  }),
  rate_limit: Nullable(Ref(RateLimit)),
  rate_limited_until: Nullable(Timestamp, {
    description: 'No attempt starts before this, because of the rate limit; null when not limited'
  }),
  throughput_per_minute: Type.Number({
    minimum: 0, description: 'Executions finished per minute, since the start of the previous hour'
  })
}, { description: 'Where the executions of one task wait', additionalProperties: false }))
export type Queue = Static<typeof Queue>

export const QueueList = Type.Array(Ref(Queue))

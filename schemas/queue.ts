import { Type, type Static } from '@sinclair/typebox'
import {
  CHANGES, Count, DurationMs, HourlyCounts, Nullable, Ref, StringEnum, TaskName, Timestamp, TimestampInput, named
} from './common.ts'
import {
  MAX_ACTION_REASON_LENGTH, MAX_LIVE_CONCURRENCY, MAX_PAUSE_MS, MAX_QUEUE_NAME_LENGTH, MAX_RATE, MAX_RATE_WINDOW_MS, PRINTABLE
} from './limits.ts'
import { RateLimit } from './task.ts'
import { DAY_MS } from './units.ts'

/** `paused`: nothing starts until it is resumed. */
export const QUEUE_STATES = ['running', 'paused'] as const
export type QueueState = (typeof QUEUE_STATES)[number]

export const QueuePause = named('QueuePause', Type.Object({
  since: Nullable(Timestamp, { description: 'null: other code paused the queue, and nothing more is known' }),
  by: Nullable(Type.String(), { description: 'Who paused it; null if unknown' }),
  reason: Nullable(Type.String(), { description: 'Why; null if none was given' }),
  until: Nullable(Timestamp, { description: 'The queue resumes by itself then, at most 5 s late; null: when someone resumes it' })
}, { description: 'Who paused a queue, when and why', additionalProperties: false }))
export type QueuePause = Static<typeof QueuePause>

export const QueuePauseInput = named('QueuePauseInput', Type.Object({
  reason: Type.Optional(Type.String({ maxLength: MAX_ACTION_REASON_LENGTH, description: 'Shown with the queue' })),
  until: Type.Optional(Nullable(TimestampInput, {
    description: `When the queue resumes by itself: in the future, at most ${MAX_PAUSE_MS / DAY_MS} days from now. Default: never`
  }))
}, { additionalProperties: false }))
export type QueuePauseInput = Static<typeof QueuePauseInput>

export const QueueLimits = named('QueueLimits', Type.Object({
  concurrency: Nullable(Type.Integer({ minimum: 1 }), {
    description: 'Executions at once over the workers of all processes; null: not limited'
  }),
  rate: Nullable(Ref(RateLimit), { description: 'Starts per window over all workers; null: not limited, except by `rate_limit`' }),
  since: Nullable(Timestamp, { description: 'null: other code set the limits, and nothing more is known' }),
  by: Nullable(Type.String(), { description: 'Who set them; null if unknown' }),
  reason: Nullable(Type.String(), { description: 'Why; null if none was given' })
}, { description: 'Limits that someone set while the queue runs, beside those in the code', additionalProperties: false }))
export type QueueLimits = Static<typeof QueueLimits>

export const QueueLimitsInput = named('QueueLimitsInput', Type.Object({
  concurrency: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: MAX_LIVE_CONCURRENCY }), {
    description: 'Executions at once over the workers of all processes; null lifts the limit, absent leaves it'
  })),
  rate: Type.Optional(Nullable(Type.Object({
    max: Type.Integer({ minimum: 1, maximum: MAX_RATE }),
    duration_ms: Type.Integer({ minimum: 1, maximum: MAX_RATE_WINDOW_MS, description: 'That of `rate_limit`, if the code has one' })
  }, { additionalProperties: false }), { description: 'Starts per window over all workers; null lifts the limit, absent leaves it' })),
  reason: Type.Optional(Type.String({ maxLength: MAX_ACTION_REASON_LENGTH, description: 'Shown with the queue' }))
}, { additionalProperties: false }))
export type QueueLimitsInput = Static<typeof QueueLimitsInput>

export const QueueNameParams = Type.Object({
  name: Type.String({ minLength: 1, maxLength: MAX_QUEUE_NAME_LENGTH, pattern: PRINTABLE, description: 'Name of the queue or of its task' })
}, { additionalProperties: false })

export const Queue = named('Queue', Type.Object({
  name: Type.String({ description: 'Name of the BullMQ queue' }),
  task_name: TaskName,
  changes: StringEnum(CHANGES, {
    description: 'What can be changed by those who may: all; some of an existing queue, which is paused and resumed, but neither ' +
      'limited nor paused for a time; or none, if such a queue is only observed or its version of BullMQ is not known'
  }),
  state: StringEnum(QUEUE_STATES, { description: 'paused: nothing starts until it is resumed' }),
  pause: Nullable(Ref(QueuePause), { description: 'null while it is not paused' }),
  limits: Nullable(Ref(QueueLimits), { description: 'Live limits; null if there are none' }),
  pending: Type.Integer({ minimum: 0, description: 'Ready, delayed and prioritised executions, without planned runs of schedules' }),
  running: Count,
  workers: Nullable(Type.Integer({ minimum: 0 }), {
    description: 'Processes that run its task now, without those that stop; null for an external task, whose workers are not known'
  }),
  concurrency: Nullable(Count, {
    description: 'Maximum concurrent executions over these processes, 0 for one that the broker refuses; null if unknown, because the ' +
      'version of one does not report it'
  }),
  utilisation: Nullable(Type.Number({ minimum: 0 }), {
    description: 'Percent of concurrency, or of the live limit if that is lower, that is running; null if concurrency is 0 or unknown. ' +
      'Over 100 while executions of a process that stops or died still count as running'
  }),
  oldest_pending_ms: Nullable(DurationMs, {
    description: 'Age of the oldest execution that is due but has not started; null if none'
  }),
  rate_limit: Nullable(Ref(RateLimit), { description: 'In the code; a live rate in `limits` replaces it' }),
  rate_limited_until: Nullable(Timestamp, {
    description: 'No attempt starts before this, because of the rate limit; null when not limited'
  }),
  throughput_per_minute: Type.Number({
    minimum: 0, description: 'Executions finished per minute, since the start of the previous hour'
  }),
  trend: HourlyCounts('Executions that finished in each of the last 24 hours up to now, oldest first')
}, { description: 'Where the executions of one task wait', additionalProperties: false }))
export type Queue = Static<typeof Queue>

export const QueueList = Type.Array(Ref(Queue))

import { Type, type Static, type TProperties } from '@sinclair/typebox'
import { Count, DurationMs, Nullable, Ref, ScheduleId, StringEnum, Timestamp, named } from './common.ts'
import { Total } from './page.ts'
import { QueuePause } from './queue.ts'

/** How a store failed. */
export const STORE_FAILURE_REASONS = ['unreachable', 'refused'] as const
export type StoreFailureReason = (typeof STORE_FAILURE_REASONS)[number]

const workerId = Nullable(Type.String(), { description: 'Its process; null if unknown' })
const storeFailure = { reason: StringEnum(STORE_FAILURE_REASONS) }

export const WhyFact = named('WhyFact', Type.Union([
  fact('finished', { status: StringEnum(['success', 'failed', 'cancelled']), finished_at: Timestamp }, 'It does not wait any more'),
  fact('running', {
    since: Nullable(Timestamp), worker_id: workerId,
    locked_until: Nullable(Timestamp, { description: 'Its process extends this twice in that time' })
  }, 'A process runs it'),
  fact('cancelling', { since: Timestamp, by: Nullable(Type.String()) }, 'Its handler was asked to stop and has not ended'),
  fact('worker_lost', { worker_id: workerId, last_seen_at: Nullable(Timestamp), locked_until: Timestamp },
    'Its process stopped responding. No other process can take it while the lock holds'),
  fact('stalled', { worker_id: workerId }, 'Its process gave no sign of life, and its lock ended: the next process to look takes it back'),
  fact('broker_unavailable', storeFailure, 'Nothing starts, and where it stands cannot be read'),
  fact('backend_unavailable', storeFailure, 'The broker does not have it; whether it finished cannot be read'),
  fact('waiting_children', { children: Nullable(Count) }, 'It waits for executions that it depends on'),
  fact('delayed', { until: Timestamp, schedule_id: Nullable(ScheduleId, { description: 'The schedule that planned it' }) },
    'It is not due yet'),
  fact('retrying', { until: Timestamp, attempt: Count, max_attempts: Count }, 'An attempt failed, and the next one is not due yet'),
  fact('paused', { pause: Ref(QueuePause) },
    'Its queue is paused. Without the right to `queues:view`, `by` and `reason` are null'),
  fact('no_worker', {}, 'No process runs its task now, or none of those that register it reaches the broker for it'),
  fact('workers_unavailable', { stopping: Count, silent: Count, refused: Count },
    'Every process with its task is stopping, has not reported for 12 s or more, or is refused by the broker'),
  fact('concurrency_limit', { limit: Count, running: Count }, 'As many run as the queue allows over all processes'),
  fact('rate_limited', { until: Timestamp, max: Count, duration_ms: Nullable(DurationMs) }, 'As many started as the rate limit allows'),
  fact('behind', {
    ahead: Total,
    per_minute: Nullable(Type.Number({ minimum: 0 }), {
      description: 'Executions of its task that finished per minute, over the last five; null if none did, or while nothing can start'
    }),
    estimate_ms: Nullable(DurationMs, { description: 'Until its turn at this pace; null if unknown' })
  }, 'Others start first. Up to 10,000 are counted'),
  fact('workers_busy', { workers: Count, concurrency: Count }, 'All processes with its task run as many as they may'),
  fact('unknown', { workers: Nullable(Count), free: Nullable(Count) },
    'Nothing is known that keeps it; `free` is how many more executions those processes may take, null if unknown')
], { description: 'Why an execution does not run, or that it does' }))
export type WhyFact = Static<typeof WhyFact>

export const ExecutionWhy = named('ExecutionWhy', Type.Object({
  sentence: Type.String({ description: 'The facts in plain English' }),
  facts: Type.Array(Ref(WhyFact), { minItems: 1, description: 'In order of weight: the first one alone would keep it from running' }),
  known: Type.Boolean({ description: 'false: the reason, or the state of the execution, is unknown' })
}, { additionalProperties: false }))
export type ExecutionWhy = Static<typeof ExecutionWhy>

function fact<const Kind extends string, Fields extends TProperties>(kind: Kind, fields: Fields, description: string) {
  return Type.Object({ kind: StringEnum([kind]), ...fields }, { description, additionalProperties: false })
}

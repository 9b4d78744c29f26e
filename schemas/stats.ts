import { Type, type Static } from '@sinclair/typebox'
import { Count, DurationMs, Nullable, Percentage, Percentiles, Ref, Timestamp, named } from './common.ts'
import { StatusCounts } from './task.ts'

const KeptExecutions = Type.Object({
  kept: Type.Integer({ minimum: 0, description: 'Finished executions you can still look up' }),
  oldest_at: Nullable(Timestamp, { description: 'When the oldest of them finished' })
}, { additionalProperties: false })

const RetentionLimits = Type.Object({
  max_age_ms: Nullable(DurationMs, { description: 'null: no limit' }),
  max_count: Nullable(Count, { description: 'null: no limit' })
}, { additionalProperties: false })

/** How much history is kept. Counts and statistics outlive the executions they cover. */
const History = Type.Object({
  success: KeptExecutions,
  failed: KeptExecutions,
  pruned_before: Nullable(Timestamp, { description: 'The latest finish time that retention has removed; null if none' }),
  retention: Nullable(
    Type.Object({ success: RetentionLimits, failed: RetentionLimits }, { additionalProperties: false }),
    { description: 'The retention policy; null if nothing is ever removed' }
  )
}, { additionalProperties: false })

export const Stats = named('Stats', Type.Object({
  total_tasks: Type.Integer({
    minimum: 0, description: 'Executions that succeeded or failed since the backend was created, not cancelled ones; never reduced'
  }),
  success_rate: Type.Number({ minimum: 0, maximum: 100, description: 'Percent of total_tasks; 0 while total_tasks is 0' }),
  failure_rate: Percentage,
  active_workers: Nullable(Count, { description: 'Processes that run tasks now, without those that stop; null if unknown' }),
  queue_size: Nullable(Type.Integer({ minimum: 0 }), {
    description: 'Ready, delayed and prioritised executions, without planned runs of schedules; null: unknown'
  }),
  executions: Ref(StatusCounts),
  registered_tasks: Type.Integer({ minimum: 0, description: 'Without names of jobs, whose tasks are `part_of` another one' }),
  schedules: Type.Object({ total: Count, enabled: Count, overdue: Count }, { additionalProperties: false }),
  throughput_per_minute: Type.Number({
    minimum: 0, description: 'Executions that succeeded or failed per minute, over the last five minutes'
  }),
  duration_ms: Nullable(Ref(Percentiles), { description: 'Over the last hour; null when nothing finished' }),
  wait_ms: Nullable(Ref(Percentiles), { description: 'Over the last hour; null when nothing finished' }),
  oldest_pending_ms: Nullable(DurationMs, { description: 'Age of the oldest execution that is due but has not started; null if none' }),
  history: History,
  generated_at: Timestamp
}, { additionalProperties: false }))
export type Stats = Static<typeof Stats>

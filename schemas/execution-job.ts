import { Type, type Static } from '@sinclair/typebox'
import { Count, ExecutionId, Nullable, Ref, StringEnum, TaskName, Timestamp, named } from './common.ts'
import { MAX_CHILDREN_LISTED } from './limits.ts'

export const RelatedJob = named('RelatedJob', Type.Object({
  key: Type.String({ description: 'Its key on the server, `prefix:queue:id`; on PostgreSQL `schema:queue:id`. Cut at 300 characters' }),
  task_name: Nullable(TaskName, { description: 'Null: its queue is not observed' }),
  execution_id: Nullable(ExecutionId, {
    description: 'Null if its queue is not observed, or if its job was removed and how it ended is not known here'
  }),
  job_name: Nullable(Type.String()),
  status: Nullable(StringEnum(['unfinished', 'success', 'failed']), { description: 'Null if unknown' }),
  removed: Type.Boolean({ description: 'Its queue does not have this run of the job any more' })
}, { additionalProperties: false }))
export type RelatedJob = Static<typeof RelatedJob>

export const ExecutionJob = named('ExecutionJob', Type.Object({
  execution_id: ExecutionId,
  task_name: TaskName,
  known: Type.Boolean({
    description: 'Whether the broker has this run of the job. If not, all fields below are null: its queue removed the job, or it has ' +
      'run again. Always false for a task of this queue app'
  }),
  parent: Nullable(Ref(RelatedJob), { description: 'The parent in a flow; null if there is none' }),
  children: Nullable(Type.Array(Ref(RelatedJob)), {
    description: `Its children in a flow, those that failed first, at most ${MAX_CHILDREN_LISTED}. ` +
      'Null if they cannot be read: the user has too few rights, or the server is older than Redis 6.2'
  }),
  children_left: Nullable(Count, { description: 'Children that are not listed; null if unknown' }),
  deduplication: Nullable(Type.Object({
    id: Type.String({ description: 'Cut at 300 characters' }),
    held: Nullable(Type.Boolean(), { description: 'Whether this job holds the key, which keeps others out; null if it cannot be read' }),
    held_until: Nullable(Timestamp, { description: 'Null if it is not held, or until the job finishes' })
  }, { additionalProperties: false }), { description: 'Null if it has no deduplication key' }),
  trace: Nullable(Type.Object({
    trace_id: Type.String(),
    span_id: Type.String({ description: 'The span that added the job' }),
    url: Nullable(Type.String(), { description: 'Where the trace can be seen: see the option `interface.traceUrl`' })
  }, { additionalProperties: false }), { description: 'The trace in which the job was added; null if it was added without one' })
}, { additionalProperties: false }))
export type ExecutionJob = Static<typeof ExecutionJob>

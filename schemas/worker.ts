import { Type, type Static } from '@sinclair/typebox'
import { Count, ExecutionId, Nullable, Ref, StringEnum, TaskName, Timestamp, named } from './common.ts'

/**
 * `alive`: it takes executions. `refused`: the broker refuses its workers. `stopping`: it takes no more. `silent`: its heartbeats ended
 * although it did not stop.
 */
export const WORKER_STATES = ['alive', 'refused', 'stopping', 'silent'] as const
export type WorkerState = (typeof WORKER_STATES)[number]

/** The most tasks and executions to list for each worker. */
export const MAX_WORKER_TASKS = 50
export const MAX_WORKER_EXECUTIONS = 10

/** A field that only the worker itself can report. */
const reported = (what: string) => ({ description: `${what}; null if unknown, because its version does not report it` })

export const Worker = named('Worker', Type.Object({
  worker_id: Type.String({ description: 'Id of the process' }),
  state: StringEnum(WORKER_STATES, {
    description: 'alive: it takes executions. refused: the broker refuses its workers. stopping: it takes no more executions. silent: ' +
      'its heartbeats ended although it did not stop; it is listed for an hour'
  }),
  healthy: Type.Boolean({ description: 'Whether it has no problems' }),
  problems: Type.Array(Type.String(), { description: 'What is wrong with it, in sentences' }),
  host: Nullable(Type.String(), reported('Host name')),
  pid: Nullable(Type.Integer({ minimum: 0 }), reported('Process id')),
  app: Nullable(Type.String(), reported('The application it belongs to')),
  version: Nullable(Type.String(), reported('Version of fastify-task-dashboard')),
  node_version: Nullable(Type.String(), reported('Version of Node')),
  started_at: Timestamp,
  last_seen_at: Nullable(Timestamp, reported('When it last reported, which is every 5 seconds. What it runs is from then')),
  task_count: Type.Integer({ minimum: 0, description: 'How many tasks it can run' }),
  tasks: Type.Array(Type.Object({
    name: TaskName,
    concurrency: Nullable(Type.Integer({ minimum: 1 }), reported('Maximum concurrent executions in this process')),
    running: Nullable(Count, reported('Executions it runs'))
  }, { additionalProperties: false }), { description: `Those that run most first, at most ${MAX_WORKER_TASKS}` }),
  running: Nullable(Count, reported('Executions it runs')),
  executions: Nullable(Type.Array(Type.Object({
    execution_id: ExecutionId,
    task_name: TaskName,
    started_at: Nullable(Timestamp)
  }, { additionalProperties: false })), reported(`Those that have run for longest, at most ${MAX_WORKER_EXECUTIONS}`)),
  memory_bytes: Nullable(Count, reported('Resident memory of the process, without the processes of `cpu` tasks')),
  clock_ahead_ms: Nullable(Type.Number(), reported("How far its clock is ahead of the broker's, in milliseconds; negative if behind"))
}, { description: 'A process that runs tasks', additionalProperties: false }))
export type Worker = Static<typeof Worker>

export const WorkerList = Type.Array(Ref(Worker))

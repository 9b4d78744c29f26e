import { plannedTimeOf } from '../../execution.ts'

/**
 * Execution ids for jobs of existing queues. A job's id is unique in its queue only, and not even there: the counter restarts when a server
 * is flushed, owners choose their own ids and reuse them, and a failed job that is retried keeps its id. So an execution id contains the
 * queue, and for a finished execution also the finish time. Each finish is a separate execution.
 */
export function liveIdOf(taskName: string, jobId: string): string {
  return `${taskName}:${jobId}`
}

/** @param finishedOn as BullMQ stores it, milliseconds by the worker's clock */
export function finishedIdOf(taskName: string, jobId: string, finishedOn: number): string {
  return `${taskName}:${jobId}@${finishedOn}`
}

/** Whether an id can only be that of an observed execution. The app's own ids are UUIDs, except those of planned runs. */
export function isObservedId(executionId: string): boolean {
  return executionId.indexOf(':') > 0 && plannedTimeOf(executionId) === null
}

export interface ObservedId {
  readonly taskName: string
  readonly jobId: string
  /** Null if the id has no finish time. */
  readonly finishedOn: number | null
}

/**
 * The possible meanings of an id, most likely first. There can be two, because a job's id may itself end like that of a finished execution.
 */
export function readObservedId(executionId: string): ObservedId[] {
  const colon = executionId.indexOf(':')
  if (colon < 1) return []
  const taskName = executionId.slice(0, colon)
  const rest = executionId.slice(colon + 1)
  if (rest === '') return []
  const finished = /^(.+)@(\d{1,16})$/s.exec(rest)
  return [
    ...finished === null ? [] : [{ taskName, jobId: finished[1]!, finishedOn: Number(finished[2]) }],
    { taskName, jobId: rest, finishedOn: null }
  ]
}

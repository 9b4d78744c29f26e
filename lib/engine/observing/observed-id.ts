import { plannedTimeOf } from '../../execution.ts'

/**
 * Ids of executions of other code. A job's id is unique in its queue only, and not even there: a counter starts over when a server is
 * flushed, owners choose ids of their own and use them again, and a failed job that is retried keeps its id. So an execution's id names the
 * queue, and that of a finished one also when it finished. Each finish is an execution of its own.
 */
export function liveIdOf(taskName: string, jobId: string): string {
  return `${taskName}:${jobId}`
}

/** @param finishedOn as BullMQ stores it, milliseconds by the worker's clock */
export function finishedIdOf(taskName: string, jobId: string, finishedOn: number): string {
  return `${taskName}:${jobId}@${finishedOn}`
}

/** Whether an id can only be one of these. Ids of one's own are UUIDs, but for planned runs. */
export function isObservedId(executionId: string): boolean {
  return executionId.indexOf(':') > 0 && plannedTimeOf(executionId) === null
}

export interface ObservedId {
  readonly taskName: string
  readonly jobId: string
  /** Null for an id without one. */
  readonly finishedOn: number | null
}

/** What an id may mean, the likeliest first: the id of a job can end like that of a finished execution. */
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

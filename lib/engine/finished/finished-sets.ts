/**
 * Lists finished jobs of many queues in one call, without payloads. BullMQ's own calls query one queue at a time and read whole jobs.
 * `before` and `since` are compared with `finishedOn`, set by the worker's clock. Both are inclusive.
 */
export interface FinishedSets {
  /** For each query, in order: jobs that finished since its time, or only the newest if a status has more than `PER_QUEUE`. */
  newest(queries: ReadonlyArray<{ readonly queueName: string; readonly sinceMs: number }>): Promise<NewestJobs[]>
  /** At most `limit` jobs that finished at or before a time, oldest first per queue. */
  before(queueNames: readonly string[], beforeMs: number, limit: number): Promise<FinishedJob[]>
  /** A page of one queue and status, newest first. */
  page(queueName: string, state: FinishedState, start: number, size: number): Promise<FinishedJob[]>
  /**
   * Removes jobs that are still finished, and finished at or before `beforeMs`, in one step. Jobs of a flow stay, because their parents
   * must be notified.
   * @returns how many were removed, and the positions of the jobs that stay because of a flow
   */
  remove(jobs: readonly FinishedJob[], beforeMs: number): Promise<{ readonly removed: number; readonly ofFlows: readonly number[] }>
}

export type FinishedState = 'completed' | 'failed'

export interface FinishedJob {
  readonly queueName: string
  readonly id: string
  readonly state: FinishedState
  readonly finishedOn: number
}

export interface NewestJobs { readonly jobs: readonly FinishedJob[]; readonly isAll: boolean }

/** How many jobs are returned at most per queue and status; the rest is paged. */
export const PER_QUEUE = 20

/**
 * Lists finished jobs of many queues in one call, without payloads. BullMQ asks queue by queue and reads whole jobs. `before` and `since`
 * are compared with `finishedOn`, set by the worker's clock. Both are inclusive.
 */
export interface FinishedSets {
  /** Per queue, in order: jobs that finished since its time, or only the newest if a status has more than `PER_QUEUE`. */
  newest(queries: ReadonlyArray<{ readonly queueName: string; readonly sinceMs: number }>): Promise<NewestJobs[]>
  /** At most `limit` jobs that finished before, oldest first per queue. */
  before(queueNames: readonly string[], beforeMs: number, limit: number): Promise<FinishedJob[]>
  /** One queue and status, newest first. */
  page(queueName: string, state: FinishedState, start: number, size: number): Promise<FinishedJob[]>
  /**
   * Removes those that are still finished, and did so before `beforeMs`, in one step. Jobs of a flow stay, because their parents must be
   * notified.
   * @returns how many were removed, and the positions of those that stay
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

/** Maximum returned per queue and status; the rest is paged. */
export const PER_QUEUE = 20

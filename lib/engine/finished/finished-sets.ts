/**
 * Which finished jobs the broker has, of many queues in one call and without their payloads: what BullMQ asks queue by queue, and
 * whole jobs at a time. `before` and `since` are compared with `finishedOn`, which is of the clock of a worker. Both inclusive.
 */
export interface FinishedSets {
  /** Of each queue, in order: those that finished since its time, or only the newest where there are more than `PER_QUEUE` of a status. */
  newest(queries: ReadonlyArray<{ readonly queueName: string; readonly sinceMs: number }>): Promise<NewestJobs[]>
  /** At most `limit` that finished before, of each queue the oldest. */
  before(queueNames: readonly string[], beforeMs: number, limit: number): Promise<FinishedJob[]>
  /** Of one queue and status, the newest first. */
  page(queueName: string, state: FinishedState, start: number, size: number): Promise<FinishedJob[]>
  /**
   * Removes those that are still finished and did so before `beforeMs`, in one step. Jobs of a flow stay, since their parents must hear of
   * it.
   * @returns how many, and the positions of those that stay
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

/** Told of a queue and status at a time; more of them are paged. */
export const PER_QUEUE = 20

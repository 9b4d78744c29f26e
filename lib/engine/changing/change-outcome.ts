export interface PendingChange {
  readonly priority?: number
  /** Milliseconds since the epoch; in the past means now. */
  readonly dueAt?: number
}

/** What became of a change, decided by the broker in one step. */
export type ChangeOutcome =
  | 'changed'
  /** A worker is running it. */
  | 'running'
  /** A run of a schedule, whose priority and time the schedule decides. */
  | 'planned'
  /** Part of a BullMQ flow. */
  | 'in_flow'
  /** It has finished, or the broker does not have it. */
  | 'over'

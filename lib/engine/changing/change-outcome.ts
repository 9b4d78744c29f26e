export interface PendingChange {
  readonly priority?: number
  /** Milliseconds since the epoch; in the past means now. */
  readonly dueAt?: number
}

/** What became of it, decided by the broker in one step. */
export type ChangeOutcome =
  | 'changed'
  /** A worker has it. */
  | 'running'
  /** A run of a schedule, which decides about it. */
  | 'planned'
  /** Part of a BullMQ flow. */
  | 'in_flow'
  /** It has finished, or the broker does not have it. */
  | 'over'

/** What became of a request to cancel, decided by the broker in one step: a worker that takes the execution comes before or after it. */
export type CancelOutcome =
  /** It was pending, and no worker will get it. */
  | 'cancelled'
  /** It is running; the request is kept with it. */
  | 'requested'
  /** A planned run of a schedule that is not due. */
  | 'planned'
  /** Part of a BullMQ flow, whose other jobs would wait for it. */
  | 'in_flow'
  /** It has finished, or the broker does not have it. */
  | 'over'

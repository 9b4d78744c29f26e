/** What became of a request to cancel. The broker decides it in one step, so a worker takes the execution either before or after that. */
export type CancelOutcome =
  /** It was pending, and now no worker will get it. */
  | 'cancelled'
  /** It is running, and the request is stored with it. */
  | 'requested'
  /** A planned run of a schedule that is not due yet. */
  | 'planned'
  /** Part of a BullMQ flow, whose other jobs would wait for it. */
  | 'in_flow'
  /** It has finished, or the broker does not have it. */
  | 'over'

import type { QueueLimits } from '../limiting/queue-limits.ts'
import type { QueuePause } from '../pausing/queue-pause.ts'

export interface QueueCondition {
  /** Nothing starts until the queue is resumed; null if it is not paused. */
  readonly pause: QueuePause | null
  /** Limits that were set while the queue runs; null for none. */
  readonly limits: QueueLimits | null
  /**
   * False: the code that last filled the queue uses a version of BullMQ whose queues cannot be changed. Absent for the app's own queues.
   */
  readonly isKnownVersion?: boolean
}

import type { QueueLimits } from '../limiting/queue-limits.ts'
import type { QueuePause } from '../pausing/queue-pause.ts'

export interface QueueCondition {
  /** Nothing starts until it is resumed; null if it is not paused. */
  readonly pause: QueuePause | null
  /** Those set while it runs; null for none. */
  readonly limits: QueueLimits | null
  /** False: other code filled it last with a version of BullMQ whose queues cannot be changed. Absent for own queues. */
  readonly isKnownVersion?: boolean
}

import type { TaskDashboardError } from '../../errors.ts'
import type { BulkOrder } from './bulk-order.ts'
import type { BulkRange, PlannedItem } from './bulk-records.ts'

/** The operation on whose behalf the actions run. */
export interface Acting extends BulkRange {
  readonly operationId: string
  readonly order: BulkOrder
  /** False if an earlier attempt may have begun these items. */
  readonly isFirstAttempt: boolean
  /**
   * Takes an item whose server is down or refuses the change. The item is tried again later, and the others continue. If absent, such an
   * error ends the attempt.
   * @param isSent whether the change was sent, so that it is unknown whether it was made
   */
  readonly postpone?: (item: PlannedItem, error: TaskDashboardError, isSent: boolean) => void
  /** Call it right before each change. Rejects with LeaseLostError if another process may have taken over: change nothing more then. */
  stillHeld(): Promise<void>
}

/** Ends a step without outcomes. The process that now works on the operation finds out what was done. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError'
}

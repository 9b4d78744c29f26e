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
   * Takes an item whose server is away or refuses: it is tried again later, and the others go on. Absent: such an error ends the attempt.
   * @param isSent whether it was sent, so that nobody knows whether it was done
   */
  readonly postpone?: (item: PlannedItem, error: TaskDashboardError, isSent: boolean) => void
  /** Call it right before each change. Rejects with LeaseLostError if another process may have taken over: change nothing more then. */
  stillHeld(): Promise<void>
}

/** Ends a step without outcomes. The process that works on the operation now finds out what was done. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError'
}

import type { BulkOrder } from './bulk-order.ts'
import type { BulkRange } from './bulk-records.ts'

/** One operation for the actions. */
export interface Acting extends BulkRange {
  readonly operationId: string
  readonly order: BulkOrder
  /** Nobody can have begun these items before. False if that is unknown. */
  readonly isFirstAttempt: boolean
  /** Called right before each change. Rejects with LeaseLostError if another process may have taken over: nothing more is changed then. */
  stillHeld(): Promise<void>
}

/** The step ends without outcomes: whoever works on the operation now finds out what was done. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError'
}

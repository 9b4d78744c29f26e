import type { Acting } from '../../../lib/queue-app/bulk/acting.ts'
import { BULK_FORMAT, type BulkOrder } from '../../../lib/queue-app/bulk/bulk-order.ts'

/** An order to retry one task, accepted a second after the end of its range. */
export const ORDER: BulkOrder = {
  format: BULK_FORMAT, action: 'retry', filter: { taskName: 'a' }, executionCount: null, rangeId: 'range', createdAt: 2_000, before: 1_000,
  by: 'ada', reason: null, rate: null, count: { value: 1, relation: 'exact' }, taskCount: 1, tasksLeftOut: 0, isAllTasks: true,
  wanted: 'run', changedAt: null, changedBy: null
}

/** What an action gets for an operation on one task, in a process that has the lease. */
export function actingOn(action: BulkOrder['action'], fields: Partial<Acting> = {}): Acting {
  return {
    operationId: 'one', order: { ...ORDER, action }, taskNames: ['a'], executionIds: null, isFirstAttempt: true, async stillHeld() {},
    ...fields
  }
}

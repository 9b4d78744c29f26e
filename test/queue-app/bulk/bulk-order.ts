import type { BulkOrder } from '../../../lib/queue-app/bulk/bulk-records.ts'

/** A retry of one task, accepted with a range that ended a second before. */
export const ORDER: BulkOrder = {
  action: 'retry', filter: { taskName: 'a' }, createdAt: 2_000, before: 1_000, by: 'ada', reason: null, rate: null,
  count: { value: 1, relation: 'exact' }, taskCount: 1, tasksLeftOut: 0, isAllTasks: true, wanted: 'run', changedAt: null, changedBy: null
}

import { isObservedId, liveIdOf, readObservedId } from '../../engine/observing/observed-id.ts'
import type { BulkOrder } from './bulk-order.ts'
import type { PlannedItem, SettledItem } from './bulk-records.ts'

/**
 * The key under which an operation changes a job of an existing queue only once. A job that is retried keeps its id, and if its worker's
 * clock is slow, its next failure looks older than the operation. A job that cannot be cancelled is found again each time the queue is
 * read.
 */
export function onceKeyOf({ action }: BulkOrder, [id]: PlannedItem | SettledItem): string {
  const [place] = action === 'retry' ? readObservedId(id) : []
  return place === undefined ? id : liveIdOf(place.taskName, place.jobId)
}

export function addOnce(done: Set<string> | null, order: BulkOrder, item: SettledItem): void {
  const [id, , outcome] = item
  // A job may have failed twice, and only its last failure can be retried.
  if (isObservedId(id) && (order.action !== 'retry' || outcome === 'done')) done?.add(onceKeyOf(order, item))
}

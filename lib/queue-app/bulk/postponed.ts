import { MANAGED_BULK_FORMAT, type BulkOrder } from './bulk-order.ts'
import type { BulkStanding, PlannedItem } from './bulk-records.ts'

/** While more items than this wait for their servers, no others are read. */
export const MAX_POSTPONED = 500

/** Takes items from the front, as long as they are all in doubt or all not. So each item has its turn before it is tried again. */
export function takeFirst(
  postponed: Array<NonNullable<BulkStanding['postponed']>[number]>, limit: number
): { readonly items: readonly PlannedItem[]; readonly isBegun: boolean } {
  const isBegun = postponed[0]?.[2] === true
  const other = postponed.findIndex(([, , isSent]) => isSent !== isBegun)
  const taken = postponed.splice(0, Math.min(limit, other === -1 ? Infinity : other))
  return { items: taken.map(([id, task]) => [id, task]), isBegun }
}

/** Not in an operation of an earlier format: a process of that version would forget what is postponed. */
export function mayPostpone({ format }: BulkOrder): boolean {
  return format === MANAGED_BULK_FORMAT
}

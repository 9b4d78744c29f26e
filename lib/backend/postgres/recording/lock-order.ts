/**
 * The order in which every writer locks the rows of a table, in this and all earlier versions. Writers may wait for each other but never
 * deadlock.
 */
export function inLockOrder<Row>(rows: Iterable<Row>, keyOf: (row: Row) => string): Row[] {
  return Array.from(rows, row => ({ row, key: keyOf(row) })).sort((a, b) => a.key < b.key ? -1 : 1).map(({ row }) => row)
}

/**
 * The order in which every writer takes the rows of a table, of this version and those before: two writers then wait for each other, but
 * never in a circle.
 */
export function inLockOrder<Row>(rows: Iterable<Row>, keyOf: (row: Row) => string): Row[] {
  return Array.from(rows, row => ({ row, key: keyOf(row) })).sort((a, b) => a.key < b.key ? -1 : 1).map(({ row }) => row)
}

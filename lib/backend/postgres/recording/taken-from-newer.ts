/**
 * SQL of an upsert into `stored` for columns that tell of what came last: they are taken together, from the row that is given when it is
 * newer by `order`, else from the one that is there.
 */
export function takenFromNewer(columns: readonly string[], order: readonly string[]): string {
  const of = (row: string): string => order.map(column => `${row}.${column}`).join(', ')
  const taken = columns.map(column => `CASE WHEN newer THEN excluded.${column} ELSE stored.${column} END`)
  return `(${columns.join(', ')}) = (
         SELECT ${taken.join(`,
                `)}
         FROM (SELECT (${of('excluded')}) > (${of('stored')}) AS newer) compared)`
}

/**
 * SQL for an upsert into `stored`: columns that describe the latest execution are taken together, from `excluded` if it is newer by
 * `order`, otherwise from `stored`.
 */
export function takenFromNewer(columns: readonly string[], order: readonly string[]): string {
  const of = (row: string): string => order.map(column => `${row}.${column}`).join(', ')
  const taken = columns.map(column => `CASE WHEN newer THEN excluded.${column} ELSE stored.${column} END`)
  return `(${columns.join(', ')}) = (
         SELECT ${taken.join(`,
                `)}
         FROM (SELECT (${of('excluded')}) > (${of('stored')}) AS newer) compared)`
}

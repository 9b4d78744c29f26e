import type { SqlStore } from '../store.ts'

/** The database's clock, milliseconds since the epoch. Not `now()`, which is constant within a transaction. */
export async function sqlNow(query: SqlStore['query']): Promise<number> {
  const { rows } = await query<{ now: number }>('SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now')
  return rows[0]!.now
}

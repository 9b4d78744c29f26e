import type { SqlStore } from '../../../stores/store.ts'
import { toStorable } from '../../entry/storable-text.ts'
import type { ChosenPath } from '../../listing/access-path.ts'
import { filtersOf } from '../../listing/filters.ts'
import type { FinishedPage, FinishedQuery } from '../../result-backend.ts'
import type { IndexedRows, SqlPath } from '../listing/access-paths.ts'
import { conditionOn } from '../listing/filters.ts'
import { firstRows } from '../listing/first-rows.ts'
import { createParameters } from '../parameters.ts'
import type { LedgerTables } from '../schema.ts'

type Total = FinishedPage['total']

/** Counting stops here: higher numbers say little more and cost a lot. */
const COUNTED_AT_MOST = 1_000

/** Exact, from the counters; null when they do not cover the query. */
export function countFromCounters(store: SqlStore, tables: LedgerTables, query: FinishedQuery): Promise<Total> | null {
  if (query.from !== undefined || query.to !== undefined) return null
  const filters = filtersOf(query).filter(filter => filter !== 'status')
  if (filters.length === 0) return read('overall', '')
  if (filters.length > 1) return null
  if (query.taskName !== undefined) return read('task', query.taskName)
  return query.scheduleId === undefined ? null : read('schedule', query.scheduleId)

  async function read(scope: string, name: string): Promise<Total> {
    const { rows } = await store.query<{ kept_success: string | number; kept_failed: string | number }>(
      `SELECT kept_success, kept_failed FROM ${tables.totals} WHERE scope = $1 AND name = $2`, [scope, toStorable(name)]
    )
    const success = query.status === 'failed' ? 0 : Number(rows[0]?.kept_success ?? 0)
    const failed = query.status === 'success' ? 0 : Number(rows[0]?.kept_failed ?? 0)
    return { value: success + failed, relation: 'exact' }
  }
}

/** Counts the rows of a path within the time range, independent of the page. */
export async function countPath(store: SqlStore, tables: LedgerTables, path: SqlPath, { from, to }: FinishedQuery): Promise<Total> {
  const parameters = createParameters()
  const range = { order: 'oldest', ...(from !== undefined && { from }), ...(to !== undefined && { to }) } as const
  const { rows } = await store.query<{ counted: number }>(
    'SELECT count(*)::integer AS counted FROM ' +
      `${firstRows(tables, path, range, { columns: 'finished_at, execution_id', limit: COUNTED_AT_MOST + 1 }, parameters)} AS capped`,
    parameters.values
  )
  const counted = rows[0]!.counted
  return counted > COUNTED_AT_MOST ? { value: COUNTED_AT_MOST, relation: 'at_least' } : { value: counted, relation: 'exact' }
}

/** Counts matches among the first rows of a path, in the requested order. Exact if the path ends there. */
export async function countMatches(
  store: SqlStore, tables: LedgerTables, { path, remaining }: ChosenPath<IndexedRows>, query: FinishedQuery
): Promise<Total> {
  if (path.lists.length === 0) return { value: 0, relation: 'exact' }
  const parameters = createParameters()
  const condition = remaining.map(filter => conditionOn(filter, query, parameters)).join(' AND ')
  const first = firstRows(
    tables, path, { ...query, after: undefined },
    { columns: `finished_at, execution_id, (${condition}) AS matches`, limit: COUNTED_AT_MOST + 1 }, parameters
  )
  const { rows } = await store.query<{ matching: number; looked_at: number }>(
    `SELECT (count(*) FILTER (WHERE matches))::integer AS matching, count(*)::integer AS looked_at FROM ${first} AS capped`,
    parameters.values
  )
  const { matching, looked_at: lookedAt } = rows[0]!
  return { value: matching, relation: lookedAt > COUNTED_AT_MOST ? 'at_least' : 'exact' }
}

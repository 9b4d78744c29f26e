import type { SqlStore } from '../../../stores/store.ts'
import type { Cost } from '../../listing/access-path.ts'
import type { FinishedQuery } from '../../result-backend.ts'
import { createParameters } from '../parameters.ts'
import type { LedgerTables } from '../schema.ts'
import type { SqlPath } from './access-paths.ts'
import { firstRows } from './first-rows.ts'

const MAX_ROWS_PROBED = 200

/**
 * Estimates costs from the next rows of each path instead of planner statistics. A path that ends within the probe is cheapest. After that,
 * the path whose rows reach furthest in time wins, because it has the fewest rows.
 */
export async function estimateCosts(
  store: SqlStore, tables: LedgerTables, paths: readonly SqlPath[], query: FinishedQuery
): Promise<Cost[]> {
  const parameters = createParameters()
  const [furthest, sign] = query.order === 'newest' ? ['min', 1] as const : ['max', -1] as const
  const probes = paths.map((path, i) =>
    `SELECT ${i} AS path, count(*)::integer AS found, ${furthest}(finished_at) AS reached
     FROM ${firstRows(tables, path, query, { columns: 'finished_at, execution_id', limit: MAX_ROWS_PROBED }, parameters)} AS probed`)
  const { rows } = await store.query<{ path: number; found: number; reached: string | number | null }>(
    `${probes.join(' UNION ALL ')} ORDER BY path`, parameters.values
  )
  return rows.map(row => [row.found, Number(row.reached) * sign])
}

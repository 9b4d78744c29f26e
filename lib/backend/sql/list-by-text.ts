import type { SqlStore } from '../../stores/store.ts'
import type { FinishedPage, FinishedQuery } from '../result-backend.ts'
import { conditionOn } from './filters.ts'
import { ITEM_COLUMNS, type ItemRow, itemFromRow } from './item.ts'
import type { LedgerTables } from './schema.ts'
import { type Filter, createParameters, rangeConditions } from './scans.ts'

/** Of a common word the index gives everything before the first row is known. */
const GATHER_MS = 400
const CANCELLED = '57014'

/** All that match, from the index of the text, sorted here: for words that few have. Null when there are too many for the time. */
export async function listByText(store: SqlStore, tables: LedgerTables, filters: readonly Filter[], query: FinishedQuery): Promise<FinishedPage | null> {
  const parameters = createParameters()
  const text = conditionOn('text', query, parameters)
  const others = [...filters.filter(filter => filter !== 'text').map(filter => conditionOn(filter, query, parameters)), ...rangeConditions({ ...query, after: undefined }, parameters)]
  const position = rangeConditions({ order: query.order, after: query.after }, parameters)
  const direction = query.order === 'newest' ? 'DESC' : 'ASC'
  const columns = Object.keys(ITEM_COLUMNS).join(', ')
  // Apart from the other filters, so that they bring no other index into play.
  const statement = `
    WITH found AS MATERIALIZED (
      SELECT execution_id, finished_at, failed, task_name, schedule_id, worker_id, error_group, duration_ms FROM ${tables.executions} WHERE ${text}
    ), matching AS MATERIALIZED (
      SELECT execution_id, finished_at FROM found ${where(others)}
    ), page AS MATERIALIZED (
      SELECT execution_id FROM matching ${where(position)} ORDER BY finished_at ${direction}, execution_id ${direction} LIMIT ${parameters.add(query.limit + 1)}
    )
    SELECT counted.total, ${columns} FROM (SELECT count(*)::integer AS total FROM matching) AS counted
    LEFT JOIN (SELECT ${columns} FROM page JOIN ${tables.executions} USING (execution_id)) AS shown ON true
    ORDER BY finished_at ${direction}, execution_id ${direction}`
  try {
    return await store.transaction(async run => {
      await run(`SET LOCAL enable_seqscan = off; SET LOCAL statement_timeout = ${GATHER_MS}`)
      const { rows } = await run<ItemRow & { total: number }>(statement, parameters.values)
      const shown = rows.filter(row => row.execution_id !== null)
      const executions = shown.slice(0, query.limit).map(itemFromRow)
      const last = shown.length > query.limit ? executions.at(-1)! : null
      return {
        executions,
        next: last && { finishedAt: last.finishedAt, executionId: last.executionId },
        total: { value: rows[0]!.total, relation: 'exact' },
        scanned: null,
        complete: true
      }
    }, { timeoutMs: GATHER_MS + 600 })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === CANCELLED) return null
    throw error
  }
}

function where(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
}

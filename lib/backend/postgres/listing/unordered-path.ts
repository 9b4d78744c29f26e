import { errorCodeOf } from '../../../stores/failures/error-code.ts'
import type { SqlStore } from '../../../stores/store.ts'
import { toStorable } from '../../entry/storable-text.ts'
import type { Filter } from '../../listing/filter-names.ts'
import type { FinishedPage, FinishedQuery } from '../../result-backend.ts'
import { TASK_BY_DURATION, TOOK_LONG, tookClasses } from '../index-columns.ts'
import { ITEM_COLUMNS, type ItemRow, itemFromRow } from '../item.ts'
import { type Parameters, createParameters } from '../parameters.ts'
import type { LedgerTables } from '../schema.ts'
import { conditionOn } from './filters.ts'
import { rangeConditions } from './first-rows.ts'

/**
 * `atMost`: more rows than this are not sorted, because the embedded store cannot cancel a statement. `scanning`: a scan is preferred if it
 * reads at most `worthScanning` rows, which is decided after `decideAfter` rows.
 */
const BY_TEXT = { atMost: 20_000, scanning: { decideAfter: 1_000, worthScanning: 15_000 } }
const BY_DURATION = { atMost: 2_000, scanning: { decideAfter: 250, worthScanning: 3_000 } }
const SORT_MS = 400
const CANCELLED = '57014'

/** An index that finds the matches, but not in finish order. Its results are sorted. */
export interface UnorderedPath {
  /** Filters that all its rows already match. */
  readonly covers: ReadonlySet<Filter>
  readonly atMost: number
  readonly scanning: { readonly decideAfter: number; readonly worthScanning: number }
  /** ORDER BY in the index's own order, if it has one; otherwise empty. */
  readonly order: string
  condition(parameters: Parameters): string
}

export function unorderedPathFor(query: FinishedQuery): UnorderedPath | null {
  if ((query.text?.length ?? 0) > 0) {
    return { ...BY_TEXT, covers: new Set(['text']), order: '', condition: parameters => conditionOn('text', query, parameters) }
  }
  if (query.taskName === undefined || tookClasses(query.minDurationMs) === null) return null
  return {
    ...BY_DURATION,
    covers: new Set(['taskName', 'minDurationMs', 'maxDurationMs']),
    order: `ORDER BY ${TASK_BY_DURATION}, duration_ms`,
    condition: parameters => [
      `${TASK_BY_DURATION} = ${parameters.add(toStorable(query.taskName!))}::text`, TOOK_LONG,
      conditionOn('minDurationMs', query, parameters),
      ...(query.maxDurationMs === undefined ? [] : [conditionOn('maxDurationMs', query, parameters)])
    ].join(' AND ')
  }
}

/** All matches, sorted; for queries that match few rows. Null when there are too many. */
export async function readSorted(
  store: SqlStore, tables: LedgerTables, path: UnorderedPath, filters: readonly Filter[], query: FinishedQuery
): Promise<FinishedPage | null> {
  const parameters = createParameters()
  const condition = path.condition(parameters)
  const others = [
    ...filters.filter(filter => !path.covers.has(filter)).map(filter => conditionOn(filter, query, parameters)),
    ...rangeConditions({ ...query, after: undefined }, parameters)
  ]
  const position = rangeConditions({ order: query.order, after: query.after }, parameters)
  const direction = query.order === 'newest' ? 'DESC' : 'ASC'
  const columns = Object.keys(ITEM_COLUMNS).join(', ')
  // A separate step, so that the other filters do not make the planner use another index.
  const statement = `
    WITH found AS MATERIALIZED (
      SELECT execution_id, finished_at, failed, task_name, schedule_id, worker_id, error_group, duration_ms FROM ${tables.executions}
      WHERE ${condition} ${path.order} LIMIT ${parameters.add(path.atMost + 1)}
    ), matching AS MATERIALIZED (
      SELECT execution_id, finished_at FROM found ${where(others)}
    ), page AS MATERIALIZED (
      SELECT execution_id FROM matching ${where(position)} ORDER BY finished_at ${direction},
        execution_id ${direction} LIMIT ${parameters.add(query.limit + 1)}
    )
    SELECT sorted_rows, total, ${columns}
    FROM (SELECT (SELECT count(*) FROM found)::integer AS sorted_rows, (SELECT count(*) FROM matching)::integer AS total) AS counted
    LEFT JOIN (SELECT ${columns} FROM page JOIN ${tables.executions} USING (execution_id)) AS shown ON true
    ORDER BY finished_at ${direction}, execution_id ${direction}`
  try {
    return await store.transaction(async run => {
      await run(`SET LOCAL enable_seqscan = off; SET LOCAL statement_timeout = ${SORT_MS}`)
      const { rows } = await run<ItemRow & { sorted_rows: number; total: number }>(statement, parameters.values)
      const { sorted_rows: sortedRows, total } = rows[0]!
      if (sortedRows > path.atMost) return null
      const shown = rows.filter(row => row.execution_id !== null)
      const executions = shown.slice(0, query.limit).map(itemFromRow)
      const last = shown.length > query.limit ? executions.at(-1)! : null
      return {
        executions,
        next: last && { finishedAt: last.finishedAt, executionId: last.executionId },
        total: { value: total, relation: 'exact' },
        scanned: null,
        complete: true
      }
    }, { timeoutMs: SORT_MS + 600 })
  } catch (error) {
    if (errorCodeOf(error) === CANCELLED) return null
    throw error
  }
}

function where(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
}

import type { SqlStore } from '../../../stores/store.ts'
import { SCAN_MS } from '../../../time/budgets.ts'
import { fromStorable } from '../../entry/storable-text.ts'
import type { ChosenPath } from '../../listing/access-path.ts'
import type { FinishedPage, FinishedPosition, FinishedQuery } from '../../result-backend.ts'
import { ITEM_COLUMNS, type ItemRow, itemFromRow } from '../item.ts'
import { createParameters } from '../parameters.ts'
import type { LedgerTables } from '../schema.ts'
import type { IndexedRows } from './access-paths.ts'
import { conditionOn } from './filters.ts'
import { firstRows } from './first-rows.ts'

const MAX_SLICE = 8_000
/** Each task contributes up to a whole slice before the slices are merged. */
const MAX_ROWS_MERGED = 100_000

/**
 * Reads a path in growing slices and checks each row, until the page is full, the path ends or the time is up.
 * @param decideAfter rows after which it stops if matches are so rare that the page would take more than `worthScanning` rows
 */
export async function scan(
  store: SqlStore, tables: LedgerTables, { path, remaining }: ChosenPath<IndexedRows>, query: FinishedQuery,
  { decideAfter = Infinity, worthScanning = Infinity } = {}
): Promise<Omit<FinishedPage, 'total'>> {
  const deadline = performance.now() + SCAN_MS
  const found: ItemRow[] = []
  let after = query.after
  let scanned = 0
  const merged = Math.max(1, ...path.lists.map(({ eachTask }) => eachTask?.length ?? 1))
  const largest = Math.min(MAX_SLICE, Math.max(250, Math.floor(MAX_ROWS_MERGED / merged)))
  let size = Math.min(largest, Math.max(250, 4 * (query.limit + 1)))
  for (;;) {
    const slice = await readSlice(store, tables, { path, remaining }, query, after, size)
    found.push(...slice.matching)
    scanned += slice.scanned
    if (slice.last !== null) after = slice.last
    if (found.length > query.limit) {
      const executions = found.slice(0, query.limit).map(itemFromRow)
      return { executions, next: executions.at(-1)!, scanned, complete: true }
    }
    const isOver = slice.scanned < size
    const isTooSparse = scanned >= decideAfter && (query.limit + 1 - found.length) * scanned > worthScanning * found.length
    if (isOver || isTooSparse || performance.now() > deadline) {
      return { executions: found.map(itemFromRow), next: isOver ? null : after ?? null, scanned, complete: isOver }
    }
    size = Math.min(largest, size * 4)
  }
}

interface Slice { readonly matching: ItemRow[]; readonly scanned: number; readonly last: FinishedPosition | null }

async function readSlice(
  store: SqlStore, tables: LedgerTables, { path, remaining }: ChosenPath<IndexedRows>, query: FinishedQuery,
  after: FinishedPosition | undefined, limit: number
): Promise<Slice> {
  if (path.lists.length === 0) return { matching: [], scanned: 0, last: null }
  const parameters = createParameters()
  const conditions = remaining.map(filter => conditionOn(filter, query, parameters))
  const columns = Object.keys(ITEM_COLUMNS).join(', ')
  // The slice is read in full before it is filtered, so that the planner is not tempted to use another index.
  const looked = `${columns}, (${conditions.join(' AND ')}) AS matches`
  const first = firstRows(tables, path, { ...query, after }, { columns: looked, limit }, parameters)
  const { rows } = await store.query<ItemRow & { at: number; matches: boolean | null }>(
    `WITH slice AS MATERIALIZED (
       SELECT *, (row_number() OVER ())::integer AS at FROM ${first} AS scanned
     )
     SELECT * FROM slice WHERE matches OR at = (SELECT max(at) FROM slice) ORDER BY at`,
    parameters.values
  )
  const last = rows.at(-1)
  return {
    matching: rows.filter(row => row.matches === true),
    scanned: last?.at ?? 0,
    last: last === undefined ? null : { finishedAt: Number(last.finished_at), executionId: fromStorable(last.execution_id) }
  }
}

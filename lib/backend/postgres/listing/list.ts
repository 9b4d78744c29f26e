import type { SqlStore } from '../../../stores/store.ts'
import type { FinishedListItem } from '../../entry/ledger-entry.ts'
import { toStorable } from '../../entry/storable-text.ts'
import { choosePath } from '../../listing/access-path.ts'
import { emptyPage } from '../../listing/empty-page.ts'
import { filtersOf } from '../../listing/filter-names.ts'
import { type FinishedPage, type FinishedQuery, MAX_RETRIES_LISTED } from '../../result-backend.ts'
import { countFromCounters, countMatches, countPath } from '../counting/count.ts'
import { ITEM_COLUMNS, type ItemRow, itemFromRow } from '../item.ts'
import { createParameters } from '../parameters.ts'
import type { LedgerTables } from '../schema.ts'
import { type SqlPath, accessPathsFor } from './access-paths.ts'
import { estimateCosts } from './estimate-costs.ts'
import { firstRows } from './first-rows.ts'
import { scan } from './scan.ts'
import { readSorted, unorderedPathFor } from './unordered-path.ts'

/** Uses an index that matches the query exactly if there is one. Otherwise scans the cheapest. */
export async function listFinished(store: SqlStore, tables: LedgerTables, query: FinishedQuery): Promise<FinishedPage> {
  const filters = filtersOf(query)
  const paths = await accessPathsFor(store, tables, query)
  const chosen = await choosePath(paths, filters, () => estimateCosts(store, tables, paths, query))
  if (chosen.remaining.length === 0) return await readPath(store, tables, chosen.path, query)

  const counting = countMatches(store, tables, chosen, query)
  // Awaited later. Avoid an unhandled rejection if the scan fails first.
  counting.catch(() => {})
  const unordered = unorderedPathFor(query)
  if (unordered !== null) {
    const start = await scan(store, tables, chosen, query, unordered.scanning)
    const page = start.complete ? withTotal(start, await counting, query) : await readSorted(store, tables, unordered, filters, query)
    if (page !== null) return page
  }
  return withTotal(await scan(store, tables, chosen, query), await counting, query)
}

/**
 * The count comes from a separate statement, which may see more or fewer rows or stop earlier. If the page itself shows the number, use
 * that.
 */
function withTotal(page: Omit<FinishedPage, 'total'>, total: FinishedPage['total'], { after }: FinishedQuery): FinishedPage {
  const shown = page.executions.length
  if (page.next === null && after === undefined) return { ...page, total: { value: shown, relation: 'exact' } }
  return { ...page, total: { ...total, value: Math.max(total.value, page.next !== null && page.complete ? shown + 1 : shown) } }
}

export async function listRetries(store: SqlStore, tables: LedgerTables, executionId: string): Promise<FinishedListItem[]> {
  const { rows } = await store.query<ItemRow>(
    `SELECT * FROM ${tables.executions} WHERE retry_of = $1 ORDER BY finished_at DESC, execution_id DESC LIMIT ${MAX_RETRIES_LISTED}`,
    [toStorable(executionId)]
  )
  return rows.map(itemFromRow)
}

async function readPath(store: SqlStore, tables: LedgerTables, path: SqlPath, query: FinishedQuery): Promise<FinishedPage> {
  if (path.lists.length === 0) return emptyPage()
  const parameters = createParameters()
  const statement = firstRows(tables, path, query, { columns: Object.keys(ITEM_COLUMNS).join(', '), limit: query.limit + 1 }, parameters)
  const [{ rows }, total] = await Promise.all([
    store.query<ItemRow>(statement, parameters.values),
    countFromCounters(store, tables, query) ?? countPath(store, tables, path, query)
  ])
  const executions = rows.slice(0, query.limit).map(itemFromRow)
  return withTotal({ executions, next: rows.length > query.limit ? executions.at(-1)! : null, scanned: null, complete: true }, total, query)
}

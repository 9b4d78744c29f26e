import type { SqlStore } from '../../../stores/store.ts'
import type { FinishedListItem } from '../../entry/ledger-entry.ts'
import { type FinishedPage, type FinishedQuery, RETRIES_AT_MOST } from '../../result-backend.ts'
import { toStorable } from '../../entry/storable-text.ts'
import { countDrive, countFromCounters, countMatches } from '../counting/count.ts'
import { filtersOf } from './filters.ts'
import { gather, gatheringFor } from './unordered-path.ts'
import { ITEM_COLUMNS, type ItemRow, itemFromRow } from '../item.ts'
import type { LedgerTables } from '../schema.ts'
import { type Drive, createParameters, drivesOf, firstOf } from './access-paths.ts'
import { rarestOf } from './estimate-costs.ts'
import { walk } from './scan.ts'

/** From the index of the filter where one has all of it; else along the index that promises least, looking at each row for a while. */
export async function listFinished(store: SqlStore, tables: LedgerTables, query: FinishedQuery): Promise<FinishedPage> {
  const filters = filtersOf(query)
  const drives = await drivesOf(store, tables, query)
  const sufficient = drives.find(drive => filters.every(filter => drive.covers.has(filter)))
  if (sufficient !== undefined) return await readPage(store, tables, sufficient, query)

  const drive = await rarestOf(store, tables, drives, query)
  const left = filters.filter(filter => !drive.covers.has(filter))
  const counting = countMatches(store, tables, drive, left, query)
  // Not awaited yet: should the walk fail, nobody is left to hear of it.
  counting.catch(() => {})
  const gathering = gatheringFor(query)
  if (gathering !== null) {
    const start = await walk(store, tables, drive, left, query, gathering.walking)
    const page = start.complete ? withTotal(start, await counting, query) : await gather(store, tables, gathering, filters, query)
    if (page !== null) return page
  }
  return withTotal(await walk(store, tables, drive, left, query), await counting, query)
}

/** Counted by another statement, which may see more or fewer rows, or stop earlier: where the page itself tells, it is right. */
function withTotal(page: Omit<FinishedPage, 'total'>, total: FinishedPage['total'], { after }: FinishedQuery): FinishedPage {
  const shown = page.executions.length
  if (page.next === null && after === undefined) return { ...page, total: { value: shown, relation: 'exact' } }
  return { ...page, total: { ...total, value: Math.max(total.value, page.next !== null && page.complete ? shown + 1 : shown) } }
}

export async function listRetries(store: SqlStore, tables: LedgerTables, executionId: string): Promise<FinishedListItem[]> {
  const { rows } = await store.query<ItemRow>(
    `SELECT * FROM ${tables.executions} WHERE retry_of = $1 ORDER BY finished_at DESC, execution_id DESC LIMIT ${RETRIES_AT_MOST}`,
    [toStorable(executionId)]
  )
  return rows.map(itemFromRow)
}

async function readPage(store: SqlStore, tables: LedgerTables, drive: Drive, query: FinishedQuery): Promise<FinishedPage> {
  if (drive.scans.length === 0) return { executions: [], next: null, total: { value: 0, relation: 'exact' }, scanned: null, complete: true }
  const parameters = createParameters()
  const statement = firstOf(tables, drive, query, { columns: Object.keys(ITEM_COLUMNS).join(', '), limit: query.limit + 1 }, parameters)
  const [{ rows }, total] = await Promise.all([
    store.query<ItemRow>(statement, parameters.values),
    countFromCounters(store, tables, query) ?? countDrive(store, tables, drive, query)
  ])
  const executions = rows.slice(0, query.limit).map(itemFromRow)
  return withTotal({ executions, next: rows.length > query.limit ? executions.at(-1)! : null, scanned: null, complete: true }, total, query)
}

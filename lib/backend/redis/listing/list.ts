import type { RedisStore } from '../../../stores/store.ts'
import type { FinishedListItem } from '../../entry/ledger-entry.ts'
import { choosePath } from '../../listing/access-path.ts'
import { emptyPage } from '../../listing/empty-page.ts'
import { filtersOf } from '../../listing/filter-names.ts'
import { type FinishedPage, type FinishedQuery, MAX_RETRIES_LISTED } from '../../result-backend.ts'
import type { LedgerKeys } from '../schema.ts'
import { type RedisPath, accessPathsFor } from './access-paths.ts'
import { estimateCosts } from './estimate-costs.ts'
import { readPage } from './read-page.ts'
import { scan, timeOf } from './scan.ts'

/** Uses lists that match the query exactly if there are any. Otherwise scans the shortest ones. */
export async function listFinished(store: RedisStore, keys: LedgerKeys, query: FinishedQuery): Promise<FinishedPage> {
  const filters = filtersOf(query)
  // No list covers text, so the best path for the other filters is used.
  const listed = filters.filter(filter => filter !== 'text')
  const paths = await accessPathsFor(store, keys, query)
  const { path, remaining } = await choosePath(paths, listed, () => estimateCosts(store, paths, query))
  if (path.lists.length === 0) return emptyPage()
  const isCovered = remaining.length === 0 && listed.length === filters.length
  return isCovered ? readPath(store, keys, path, query) : scan(store, keys, path, query)
}

export async function listRetries(store: RedisStore, keys: LedgerKeys, executionId: string): Promise<FinishedListItem[]> {
  const { rows } = await readPage(store, keys, {
    lists: [keys.byOrigin(executionId)], order: 'newest', limit: MAX_RETRIES_LISTED, ranges: [{}]
  })
  return rows.map(row => row.item)
}

async function readPath(store: RedisStore, keys: LedgerKeys, { lists }: RedisPath, query: FinishedQuery): Promise<FinishedPage> {
  const { order, limit, after } = query
  const { rows, total, isLast } = await readPage(store, keys, { lists, order, limit, ...(after && { after }), ranges: [timeOf(query)] })
  const executions = rows.map(row => row.item)
  return {
    executions, next: isLast ? null : executions.at(-1) ?? null, total: { value: total, relation: 'exact' }, scanned: null, complete: true
  }
}

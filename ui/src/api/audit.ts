import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { AuditEntry, AuditPage } from '../../../schemas/index.ts'
import type { AuditFilter } from '../format/audit/audit-filter.ts'
import { timeOfEntryId } from '../format/audit/audit-list.ts'
import { currentTime } from '../format/time/clock.ts'
import { rangeBounds } from '../format/time/time-range.ts'
import { queryClient, recovering } from './query-client.ts'
import { get } from './request.ts'
import { MINUTE_MS } from '../format/time/units.ts'

/** As many as the server embeds in the page, so that the first read can use them. */
const PAGE_SIZE = 100
/** How much the clock behind an entry's id may differ from the clock that dates the entry. */
const CLOCK_MARGIN_MS = MINUTE_MS
const SEARCHED_PAGES = 10

/** Later pages keep this `from`, so that the cursor continues in the same range. */
interface Position {
  readonly cursor: string | null
  readonly from: string | null
}
export type AuditListPage = AuditPage & { readonly from: string | null }

export const auditKeys = { list: (filter: AuditFilter) => ['audit', 'list', filter] as const }

/** The audit log, as far as the reader has scrolled. */
export function auditListQuery(filter: AuditFilter) {
  return infiniteQueryOptions({
    queryKey: auditKeys.list(filter),
    queryFn: ({ pageParam, signal }) => fetchPage(filter, pageParam, signal),
    initialPageParam: null as Position | null,
    getNextPageParam: (last): Position | undefined => (last.next_cursor ? { cursor: last.next_cursor, from: last.from } : undefined),
    // Only its head is polled: refetching every page that the reader scrolled through would cost more with each one.
    refetchInterval: (query): number | false => (query.state.data === undefined ? recovering(query) : false),
    refetchOnWindowFocus: false,
    refetchOnReconnect: false
  })
}

/** How long the first page of a list also counts as its head. After that, polling fetches a new head. */
const HEAD_IS_NEW_MS = 1_000

/** The newest page of the same list. It starts as the first page of the list, if that has been read. */
export function auditHeadQuery(filter: AuditFilter) {
  const list = () => queryClient.getQueryState<{ readonly pages: readonly AuditListPage[] }>(auditKeys.list(filter))
  return queryOptions({
    queryKey: ['audit', 'head', filter],
    queryFn: ({ signal }) => fetchPage(filter, null, signal),
    initialData: () => list()?.data?.pages[0],
    initialDataUpdatedAt: () => list()?.dataUpdatedAt,
    staleTime: HEAD_IS_NEW_MS
  })
}

async function fetchPage(filter: AuditFilter, position: Position | null, signal: AbortSignal): Promise<AuditListPage> {
  const bounds = rangeBounds(filter.range, currentTime())
  const { cursor, from } = position ?? { cursor: null, from: bounds.from }
  const page = await get<AuditPage>('api/audit', {
    query: {
      actor: filter.actor, action: filter.action, outcome: filter.outcome, task_name: filter.taskName, schedule_id: filter.scheduleId,
      execution_id: filter.executionId, from, to: bounds.to, limit: PAGE_SIZE, cursor
    },
    signal
  })
  return { ...page, from }
}

/** The entry that a link names; null if it is not in the log. */
export function auditEntryQuery(entryId: string) {
  return queryOptions({
    queryKey: ['audit', 'entry', entryId],
    queryFn: async ({ signal }): Promise<AuditEntry | null> => {
      const at = timeOfEntryId(entryId)
      if (at === null) return null
      const [from, to] = [at - CLOCK_MARGIN_MS, at + CLOCK_MARGIN_MS].map(each => new Date(each).toISOString())
      let cursor: string | null = null
      for (let page = 0; page < SEARCHED_PAGES; page++) {
        const { items, next_cursor: next }: AuditPage = await get<AuditPage>('api/audit', {
          query: { from, to, limit: PAGE_SIZE, cursor }, signal
        })
        const found = items.find(entry => entry.entry_id === entryId)
        if (found) return found
        if (next === null) return null
        cursor = next
      }
      return null
    }
  })
}

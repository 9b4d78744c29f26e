import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { auditHeadQuery, auditKeys, auditListQuery, type AuditListPage } from '../api/audit.ts'
import { queryClient } from '../api/query-client.ts'
import type { AuditFilter } from '../format/audit/audit-filter.ts'
import { toAuditEntries } from '../format/audit/audit-list.ts'
import { isPartial, toPhase } from '../format/lists/live-history.ts'
import { isTopOfListOutOfSight, useListMemory } from './use-list-memory.ts'
import { useMorePages } from './use-more-pages.ts'
import { usePolling } from './use-polling.ts'
import { useSettled } from './use-settled.ts'

export type AuditList = ReturnType<typeof useAuditList>

const POLLED_EVERY_MS = 5_000

/** The audit log under a filter, as shown. `live-history` makes the decisions. */
export function useAuditList(filter: AuditFilter) {
  const polling = usePolling(POLLED_EVERY_MS)
  const list = useInfiniteQuery(auditListQuery(filter))
  const pages = list.data?.pages
  // Searching the whole log repeatedly would cost too much.
  const isStill = pages?.some(page => !page.complete) ?? false
  const head = useSettled(useQuery({ ...auditHeadQuery(filter), ...polling, enabled: pages !== undefined && !isStill }))
  const settled = useSettled(list)
  const [isPointedAt, hold] = useState(false)
  const [memory, step] = useListMemory(filter)
  const merged = useMemo(() => toAuditEntries(pages ?? [], head.data), [pages, head.data])
  const found = merged.entries.length

  const seen = {
    pages: pages?.map(({ complete }) => ({ complete, scanned: null })), hasFailed: settled.failure !== null, hasMore: list.hasNextPage,
    isLoadingMore: list.isFetchingNextPage, hasMoreFailed: list.isFetchNextPageError, found, isPointedAt,
    isTopOutOfSight: isTopOfListOutOfSight(), isOldestFirst: false
  }
  const phase = toPhase(seen, memory)

  const show = useCallback((page: AuditListPage) => {
    queryClient.setQueryData(auditListQuery(filter).queryKey, { pages: [page], pageParams: [null] })
  }, [filter])
  useEffect(() => {
    if (head.data && phase === 'following' && !isStill) show(head.data)
  }, [head.data, phase, isStill, show])

  const { loadMore, onEnd } = useMorePages(list, { phase, memory, step, found })

  return {
    ...merged, settled, phase, hold, onEnd, loadMore, isStill,
    headFailure: head.failure,
    headUpdatedAt: head.updatedAt,
    kept: pages?.[0]?.kept ?? null,
    isPartial: isPartial(seen),
    isComplete: pages !== undefined && !list.hasNextPage,
    stop: () => step({ type: 'stopped' }),
    goOn: () => step({ type: 'resumed', found }),
    readAgain: () => { queryClient.resetQueries({ queryKey: auditKeys.list(filter), exact: true }).catch(() => {}) },
    showNews: () => {
      if (head.data) show(head.data)
      document.querySelector('.history-section')?.scrollIntoView({ block: 'start' })
    }
  }
}

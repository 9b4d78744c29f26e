import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { executionFirstPageQuery, executionKeys, executionListQuery, type HistoryPage } from '../api/executions.ts'
import { queryClient } from '../api/query-client.ts'
import type { ExecutionFilter } from '../format/executions/execution-filter.ts'
import { isHeadAsked, isPartial, isScanned, toPhase } from '../format/lists/live-history.ts'
import { joinPages, toLiveList, type Loaded } from '../format/lists/live-list.ts'
import { isTopOfListOutOfSight, useListMemory } from './use-list-memory.ts'
import { useMorePages } from './use-more-pages.ts'
import { usePolling } from './use-polling.ts'
import { useSettled } from './use-settled.ts'

export type LiveHistory = ReturnType<typeof useLiveHistory>

/** The history under a filter, as shown. `live-history` makes the decisions. */
export function useLiveHistory(filter: ExecutionFilter) {
  const polling = usePolling(3_000)
  const list = useInfiniteQuery(executionListQuery(filter))
  const pages = list.data?.pages
  const isOldestFirst = filter.order === 'oldest'
  // The head is also polled while reloading the list fails, because only the head keeps it current then.
  const head = useSettled(useQuery({ ...executionFirstPageQuery(filter), ...polling, enabled: isHeadAsked({ pages, isOldestFirst }) }))
  const settled = useSettled(list)
  const [isPointedAt, hold] = useState(false)
  const [memory, step] = useListMemory(filter)
  const earlier = useRef<Loaded | null>(null)
  const loaded = useMemo(() => (earlier.current = joinPages(pages ?? [], earlier.current)), [pages])
  const merged = useMemo(() => toLiveList(loaded, head.data), [loaded, head.data])

  const found = merged.executions.length
  const seen = {
    pages, hasFailed: settled.failure !== null, hasMore: list.hasNextPage, isLoadingMore: list.isFetchingNextPage,
    hasMoreFailed: list.isFetchNextPageError,
    found, isPointedAt, isTopOutOfSight: isTopOfListOutOfSight(), isOldestFirst
  }
  const phase = toPhase(seen, memory)

  const show = useCallback((page: HistoryPage) => {
    queryClient.setQueryData(executionListQuery(filter).queryKey, { pages: [page], pageParams: [null] })
  }, [filter])
  useEffect(() => {
    if (head.data && phase === 'following') show(head.data)
  }, [head.data, phase, show])

  const { loadMore, onEnd } = useMorePages(list, { phase, memory, step, found })

  const total = (head.data ?? pages?.at(-1))?.total
  const missing = pages?.find(page => page.missing !== undefined)?.missing ?? head.data?.missing ?? null
  return {
    ...merged, settled, phase, hold, onEnd, loadMore,
    headFailure: head.failure,
    headUpdatedAt: head.updatedAt,
    total: total?.relation === 'exact' ? total.value : null,
    isScanned: isScanned(seen),
    /** Whether the executions can be counted without scanning them. */
    isCountable: filter.search === null || (pages !== undefined && !isScanned(seen)),
    isPartial: isPartial(seen),
    scanned: pages?.reduce((sum, page) => sum + (page.scanned ?? 0), 0) ?? 0,
    /** The part that cannot be read, because its store is unavailable. */
    missing,
    isComplete: pages !== undefined && !list.hasNextPage && missing === null,
    stop: () => step({ type: 'stopped' }),
    goOn: () => step({ type: 'resumed', found }),
    readAgain: () => { queryClient.resetQueries({ queryKey: executionKeys.list(filter), exact: true }).catch(() => {}) },
    showNews: () => {
      queryClient.removeQueries({ queryKey: executionKeys.list(filter), exact: true, type: 'inactive' })
      if (head.data) show(head.data)
      document.querySelector('.history-section')?.scrollIntoView({ block: 'start' })
    }
  }
}

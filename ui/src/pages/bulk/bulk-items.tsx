import { useInfiniteQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo } from 'react'
import type { BulkOperation } from '../../../../schemas/index.ts'
import { bulkItemsQuery } from '../../api/bulk.ts'
import { hasFailedForGood, recovering } from '../../api/query-client.ts'
import { BulkItemsTable } from '../../components/bulk/bulk-items-table.tsx'
import { OutcomeFilter } from '../../components/bulk/outcome-filter.tsx'
import { Section } from '../../components/frame/section.tsx'
import { Failed, SkeletonRows } from '../../components/frame/states.tsx'
import { hasEnded, outcomeFrom } from '../../format/bulk/bulk-state.ts'
import { useAddress } from '../../hooks/use-address.ts'
import { usePolling } from '../../hooks/use-polling.ts'
import { useSettled } from '../../hooks/use-settled.ts'
import { bulkTexts } from '../../texts/bulk.ts'

const POLLED_EVERY_MS = 5_000
/** A page may be empty although more follow. This many are skipped automatically. */
const MAX_EMPTY_PAGES = 5

/** The items of an operation that have an outcome. New ones come at the end. */
export function BulkItems({ operation }: { operation: BulkOperation }) {
  const { get, href } = useAddress()
  const outcome = outcomeFrom(get('outcome'))
  const { operation_id: operationId, progress } = operation
  const isOver = hasEnded(operation)
  const polling = usePolling(POLLED_EVERY_MS)
  const list = useInfiniteQuery({
    ...bulkItemsQuery(operationId, outcome),
    // Refetching requests every page, so after the first page the reader decides.
    refetchInterval: query => {
      const pages = query.state.data?.pages
      const mayGrow = pages?.length === 1 && pages[0]?.next_cursor === null
      return !isOver && mayGrow && !hasFailedForGood(query) && polling.refetchInterval ? polling.refetchInterval(query) : recovering(query)
    }
  })
  const { data, failure, retry } = useSettled(list)
  const { hasNextPage, isFetching, fetchNextPage, refetch } = list
  const items = useMemo(() => data?.pages.flatMap(page => page.items) ?? [], [data])
  const pageCount = data?.pages.length ?? 0
  const more = useCallback(() => {
    if (hasNextPage && !isFetching) fetchNextPage().catch(() => {})
  }, [hasNextPage, isFetching, fetchNextPage])
  useEffect(() => { if (items.length === 0 && pageCount <= MAX_EMPTY_PAGES) more() }, [items.length, pageCount, more])
  // The figures above come with the operation. The list follows them, so that both say the same.
  const told = progress?.[outcome ?? 'items'] ?? 0
  const lacksItems = pageCount === 1 && !hasNextPage && told > items.length
  useEffect(() => { if (lacksItems) refetch().catch(() => {}) }, [lacksItems, told, refetch])
  // The last operation stays visible after it has ended, been aborted or been undone.
  useEffect(() => { if (isOver) refetch().catch(() => {}) }, [operation.finished_at, isOver, refetch])

  return (
    <Section title={bulkTexts.items}>
      {progress !== null && <OutcomeFilter current={outcome} progress={progress} href={each => href({ outcome: each })} />}
      {data === undefined
        ? failure
          ? <Failed what={bulkTexts.items} failure={failure} onRetry={retry} isBrief />
          : <SkeletonRows count={6} label={bulkTexts.loadingItems} />
        : items.length > 0
          ? <BulkItemsTable items={items} total={hasNextPage || !isOver ? null : items.length} onEnd={more} />
          : !hasNextPage && <p className="muted">
            {told > 0
              ? bulkTexts.notListedYet
              : outcome !== null ? bulkTexts.noItemsOf : isOver ? bulkTexts.endedWithoutItems : bulkTexts.noItems}
          </p>}
      {hasNextPage &&
        <button type="button" className="button more-button" disabled={isFetching} onClick={more}>{bulkTexts.more}</button>}
      {!hasNextPage && !isOver && pageCount > 1 &&
        <button type="button" className="button more-button" disabled={isFetching} onClick={() => { refetch().catch(() => {}) }}>
          {bulkTexts.lookForMore}
        </button>}
    </Section>
  )
}

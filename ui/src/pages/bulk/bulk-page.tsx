import { useInfiniteQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { PageLink } from '../../components/elements/page-link.tsx'
import { bulkListQuery } from '../../api/bulk.ts'
import { recovering } from '../../api/query-client.ts'
import { BulkTable } from '../../components/bulk/bulk-table.tsx'
import { Empty, Failed, SkeletonRows, Stale } from '../../components/frame/states.tsx'
import { useAddress } from '../../hooks/use-address.ts'
import { usePolling } from '../../hooks/use-polling.ts'
import { useSettled } from '../../hooks/use-settled.ts'
import { BulkOperationPage } from './bulk-operation-page.tsx'
import { bulkTexts } from '../../texts/bulk.ts'

const POLLED_EVERY_MS = 5_000

/** Bulk operations of the last days, or one of them. */
export function BulkPage() {
  const operationId = useAddress().get('operation')
  return operationId === null ? <BulkList /> : <BulkOperationPage key={operationId} operationId={operationId} />
}

function BulkList() {
  const polling = usePolling(POLLED_EVERY_MS)
  const list = useInfiniteQuery({
    ...bulkListQuery,
    // Refetching requests every page, and a reader who has loaded older operations is looking at those.
    refetchInterval: query =>
      ((query.state.data?.pages.length ?? 1) > 1 || !polling.refetchInterval ? recovering(query) : polling.refetchInterval(query))
  })
  const { data, failure, updatedAt, retry } = useSettled(list)
  const { hasNextPage, isFetching, fetchNextPage } = list
  const operations = useMemo(
    () => [...new Map(data?.pages.flatMap(page => page.items).map(each => [each.operation_id, each])).values()], [data]
  )
  const more = useCallback(() => {
    if (hasNextPage && !isFetching) fetchNextPage().catch(() => {})
  }, [hasNextPage, isFetching, fetchNextPage])
  return (
    <>
      <div className="page-header">
        <h1>{bulkTexts.title}</h1>
        <Stale failure={failure} updatedAt={updatedAt} />
      </div>
      <p className="muted bulk-lead">{bulkTexts.lead}</p>
      {data
        ? operations.length > 0
          ? <BulkTable operations={operations} total={data.pages[0]!.total.value} onEnd={more} />
          : <Empty title={bulkTexts.none}>
            <p>{bulkTexts.noneDetail}</p>
            <p><PageLink isWay href="/executions">{bulkTexts.toExecutions}</PageLink></p>
          </Empty>
        : failure
          ? <Failed what={bulkTexts.title} failure={failure} onRetry={retry} />
          : <SkeletonRows count={8} label={bulkTexts.loading} />}
    </>
  )
}

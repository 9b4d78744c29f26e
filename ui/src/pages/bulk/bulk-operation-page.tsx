import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { bulkOperationQuery } from '../../api/bulk.ts'
import { hasFailedForGood, recovering } from '../../api/query-client.ts'
import { BulkFacts } from '../../components/bulk/bulk-facts.tsx'
import { BulkProgress } from '../../components/bulk/bulk-progress.tsx'
import { StatusMark } from '../../components/elements/status-mark.tsx'
import { Failed, SkeletonRows, Stale } from '../../components/frame/states.tsx'
import { actionWord, hasEnded, stateMark, waitsFor } from '../../format/bulk/bulk-state.ts'
import { usePolling } from '../../hooks/use-polling.ts'
import { useSettled } from '../../hooks/use-settled.ts'
import { BulkItems } from './bulk-items.tsx'
import { BulkVerbs } from './bulk-verbs.tsx'
import { bulkTexts } from '../../texts/bulk.ts'

const POLLED_EVERY_MS = 2_000

/** One operation: its progress, the outcome of each item, and the available actions. */
export function BulkOperationPage({ operationId }: { operationId: string }) {
  const polling = usePolling(POLLED_EVERY_MS)
  const { data: operation, failure, updatedAt, retry } = useSettled(useQuery({
    ...bulkOperationQuery(operationId),
    refetchInterval: query => {
      const { data } = query.state
      // Nothing changes in an operation that has ended, unless someone changes it. Nor in one that does not exist.
      const isStill = data !== undefined && hasEnded(data) || hasFailedForGood(query)
      return isStill || !polling.refetchInterval ? recovering(query) : polling.refetchInterval(query)
    }
  }))
  const store = operation ? waitsFor(operation) : null
  return (
    <>
      <div className="page-header">
        <h1 className="wrap" tabIndex={-1}>
          <Link href="/bulk">{bulkTexts.title}</Link>
          {operation && <> <span className="muted" aria-hidden="true">/</span> {actionWord(operation)}</>}
        </h1>
        {operation && <StatusMark {...stateMark(operation)} />}
        <Stale failure={failure} updatedAt={updatedAt} />
        <div className="page-tools">{operation && <BulkVerbs operation={operation} />}</div>
      </div>
      {operation
        ? <>
          {operation.progress !== null && <BulkProgress operation={operation} />}
          <p role="status" className="tone-warn bulk-note">
            {operation.state === 'unsupported'
              ? bulkTexts.unsupported
              : store !== null && (operation.problem === null ? bulkTexts.waits[store] : bulkTexts.refuses(operation.problem))}
            {operation.capped && ` ${bulkTexts.cappedNote}`}
          </p>
          <BulkFacts operation={operation} />
          {operation.state !== 'unsupported' && <BulkItems operation={operation} />}
        </>
        : failure
          ? <Failed what={bulkTexts.one} isOne failure={failure} onRetry={retry} />
          : <SkeletonRows count={8} label={bulkTexts.loadingOne} />}
    </>
  )
}

import { useCallback, useEffect } from 'react'
import { recovering } from '../api/query-client.ts'
import { retryWaitMs, type Memory, type Phase, type Step } from '../format/lists/live-history.ts'

interface Pages {
  readonly hasNextPage: boolean
  readonly isFetchingNextPage: boolean
  readonly isFetchNextPageError: boolean
  readonly errorUpdatedAt: number
  readonly error: Error | null
  readonly data: { readonly pages: readonly unknown[] } | undefined
  readonly fetchNextPage: () => Promise<unknown>
}

interface State {
  readonly phase: Phase
  readonly memory: Memory
  readonly step: (step: Step) => void
  /** How many rows are shown. */
  readonly found: number
}

/** Loads further pages: at the end of the list, automatically during a search, and again after a failure, with increasing waits. */
export function useMorePages(list: Pages, { phase, memory, step, found }: State) {
  const { data, fetchNextPage, hasNextPage, isFetchingNextPage, isFetchNextPageError, errorUpdatedAt, error } = list
  const pageCount = data?.pages.length
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) fetchNextPage().catch(() => {})
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])
  useEffect(() => { if (phase === 'searching') loadMore() }, [phase, loadMore])
  useEffect(() => { if (isFetchNextPageError) step({ type: 'more-failed' }) }, [isFetchNextPageError, errorUpdatedAt, step])
  useEffect(() => { step({ type: 'more-loaded' }) }, [pageCount, step])
  const mayRetry = recovering({ state: { status: 'error', error } }) !== false
  const waitMs = retryWaitMs(memory)
  useEffect(() => {
    if (phase !== 'retrying' || !mayRetry) return
    const timer = setTimeout(loadMore, waitMs)
    return () => clearTimeout(timer)
  }, [phase, mayRetry, waitMs, loadMore])

  const onEnd = useCallback(() => {
    // After a failure, only the wait ends in a request. A request at every scroll would overload a server that is in trouble.
    if (phase === 'retrying') return
    if (phase === 'searching' || phase === 'stopped') step({ type: 'ended', found })
    else loadMore()
  }, [phase, found, loadMore, step])
  return { loadMore, onEnd }
}

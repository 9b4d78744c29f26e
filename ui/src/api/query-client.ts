import { notifyManager, QueryCache, QueryClient, type InvalidateQueryFilters } from '@tanstack/react-query'
import { isFinal } from '../format/health/final-failure.ts'
import { forgetFirstAnswers } from './first-answer.ts'
import { ApiError } from './request.ts'
import { MINUTE_MS } from '../format/time/units.ts'

/** How long a view that could not be loaded waits before it retries. */
const RECOVER_MS = 5_000

interface Asked {
  readonly state: { readonly status: string; readonly error: unknown }
}

/** The refetch interval of a query that is not polled: after a failure, it is retried until it succeeds. */
export function recovering(query: Asked): number | false {
  return query.state.status === 'error' && !hasFailedForGood(query) ? RECOVER_MS : false
}

/** Whether a retry would get the same error. */
export function hasFailedForGood({ state: { status, error } }: Asked): boolean {
  return status === 'error' && error instanceof ApiError && isFinal(error)
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError(error, query) {
      const wasShown = query.state.data !== undefined && !isSession(query)
      if (wasShown && isForbidden(error)) readEverythingAgain()
    }
  }),
  defaultOptions: {
    queries: {
      // The next poll is the retry; a second mechanism would only delay the news that something is broken.
      retry: false,
      refetchInterval: recovering,
      // Requests are sent even if the browser believes it is offline, because the server may be on this machine.
      networkMode: 'always',
      refetchOnWindowFocus: 'always',
      gcTime: 5 * MINUTE_MS
    },
    mutations: { retry: false, networkMode: 'always' }
  }
})

/** After a right was taken away, nothing is shown that was read with it. Whatever the reader may still see is requested again. */
function readEverythingAgain(): void {
  forgetFirstAnswers()
  notifyManager.batch(() => {
    for (const query of queryClient.getQueryCache().findAll({ predicate: query => !isSession(query) })) {
      // A response that is still on its way may have been read with that right.
      query.cancel({ silent: true }).catch(() => {})
      query.setState({ data: undefined, dataUpdatedAt: 0, error: null, status: 'pending', fetchStatus: 'idle' })
    }
  })
  queryClient.invalidateQueries().catch(() => {})
}

/** Whether the server refuses it, with whatever code: the host may throw an error of its own. Something in front of the server has none. */
function isForbidden(error: unknown): boolean {
  return error instanceof ApiError && error.status === 403 && error.code !== 'UNKNOWN'
}

/** The session is kept: without it the page cannot be drawn. So a session that is refused itself would be read again and again. */
function isSession({ queryKey }: { readonly queryKey: readonly unknown[] }): boolean {
  return queryKey[0] === 'session'
}

/** How long an action waits, after its response, for the views to show what it changed. */
const SHOWN_WITHIN_MS = 1_000

/** Reads what an action changed. A slow server does not keep the reader from seeing the outcome. */
export async function readAgain(changed: InvalidateQueryFilters): Promise<void> {
  await Promise.race([
    queryClient.invalidateQueries(changed), new Promise<void>(resolve => { setTimeout(resolve, SHOWN_WITHIN_MS) })
  ])
}

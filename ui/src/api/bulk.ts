import { infiniteQueryOptions, mutationOptions, queryOptions } from '@tanstack/react-query'
import type { BulkFilter, BulkItemPage, BulkOperation, BulkPage, BulkPreview } from '../../../schemas/index.ts'
import type { BulkAction } from '../format/bulk/bulk-filter.ts'
import type { BulkOutcome, BulkVerb } from '../format/bulk/bulk-state.ts'
import { carryOut } from './intentions.ts'
import { queryClient, readAgain, recovering } from './query-client.ts'
import { ApiError, get, request, segment } from './request.ts'

const OPERATIONS_PER_PAGE = 50
const ITEMS_PER_PAGE = 100

/** What an action would do. It is counted only once, because the reader decides on the basis of this number. */
export function bulkPreviewQuery(action: BulkAction, filter: BulkFilter) {
  return queryOptions({
    queryKey: ['bulk', 'preview', action, filter],
    queryFn: async ({ signal }) => (await request<BulkPreview>(
      'api/bulk', { method: 'POST', body: { action, filter, dry_run: true }, signal }
    )).data,
    refetchInterval: query => !isRefusal(query.state.error) && recovering(query),
    gcTime: 0,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false
  })
}

export interface BulkStart {
  readonly action: BulkAction
  readonly filter: BulkFilter
  /** The token from the response of the dry run, if there is one. */
  readonly token: string | undefined
  readonly rate: number | undefined
  readonly reason: string | undefined
}

/** Names what `carryOut` sends. */
function startIntention({ action, filter, token, rate }: BulkStart): string {
  return `bulk ${JSON.stringify([action, filter, token ?? null, rate ?? null])}`
}

export const startBulk = mutationOptions({
  mutationFn: (start: BulkStart) => carryOut(startIntention(start), start.reason, async ({ key, reason }) => {
    const { action, filter, token, rate } = start
    const body = {
      action, filter, dry_run: false, ...token !== undefined && { token }, ...rate !== undefined && { rate },
      ...reason !== undefined && { reason }
    }
    return (await request<BulkOperation>('api/bulk', { method: 'POST', key, reason, body })).data
  }),
  onSettled: () => readAgain({ queryKey: ['bulk', 'list'] })
})

/** The newest operations. Further pages are loaded when the reader requests them. */
export const bulkListQuery = infiniteQueryOptions({
  queryKey: ['bulk', 'list'],
  queryFn: ({ pageParam: cursor, signal }) => get<BulkPage>('api/bulk', { query: { limit: OPERATIONS_PER_PAGE, cursor }, signal }),
  initialPageParam: null as string | null,
  getNextPageParam: last => last.next_cursor ?? undefined
})

export function bulkOperationQuery(operationId: string) {
  return queryOptions({
    queryKey: ['bulk', 'operation', operationId],
    queryFn: ({ signal }) => get<BulkOperation>(bulkPath(operationId), { signal })
  })
}

/** The items of an operation, in the order in which they were done. */
export function bulkItemsQuery(operationId: string, outcome: BulkOutcome | null) {
  return infiniteQueryOptions({
    queryKey: ['bulk', 'items', operationId, outcome],
    queryFn: ({ pageParam: cursor, signal }) => get<BulkItemPage>(
      `${bulkPath(operationId)}/items`, { query: { outcome, limit: ITEMS_PER_PAGE, cursor }, signal }
    ),
    initialPageParam: null as string | null,
    getNextPageParam: last => last.next_cursor ?? undefined,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false
  })
}

export interface BulkChange {
  readonly operationId: string
  readonly verb: BulkVerb
  readonly reason: string | undefined
}

/** Needs no key: repeating it changes nothing. */
export const changeBulk = mutationOptions({
  mutationFn: async ({ operationId, verb, reason }: BulkChange) => (await request<BulkOperation>(
    `${bulkPath(operationId)}/${verb}`, { method: 'PUT', reason }
  )).data,
  onSuccess: operation => { queryClient.setQueryData(bulkOperationQuery(operation.operation_id).queryKey, operation) },
  onSettled: () => readAgain({ queryKey: ['bulk'] })
})

function bulkPath(operationId: string): string {
  return `api/bulk/${segment(operationId)}`
}

/** Whether the server refused, so that a retry would be refused too. */
export function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 400 || error.status === 403)
}

import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { Execution, ExecutionDetail, ExecutionJob, ExecutionPage, ExecutionWhy } from '../../../schemas/index.ts'
import { currentTime } from '../format/time/clock.ts'
import type { ExecutionFilter } from '../format/executions/execution-filter.ts'
import { rangeBounds } from '../format/time/time-range.ts'
import { queryClient, recovering } from './query-client.ts'
import { ApiError, get, segment } from './request.ts'

const PAGE_SIZE = 100
const RECOVERS_WITHIN_MS = 5_000

/** Later pages keep this `from`: a range that moved between two pages would break the cursor. */
interface Position {
  readonly cursor: string | null
  readonly from: string | null
}
export type HistoryPage = ExecutionPage & { readonly from: string | null }

/** Whether the last list without a status filter lacked the data of an unavailable store. */
let isPartial = false
const AWAY: ReadonlySet<string> = new Set(['BROKER_UNAVAILABLE', 'BACKEND_UNAVAILABLE', 'STORE_REFUSED'])

/** Like `fetchPage`, but while one store is unavailable, it returns what the other one has. For views that say what is missing. */
async function fetchPossiblePage(filter: ExecutionFilter, position: Position, limit: number, signal: AbortSignal): Promise<HistoryPage> {
  const isWhole = filter.status === null && position.cursor === null
  if (!isWhole || !isPartial) {
    try {
      return await fetchPage(filter, position, limit, signal)
    } catch (error) {
      if (!isWhole || !(error instanceof ApiError) || !AWAY.has(error.code)) throw error
    }
  }
  const page = await fetchPage(filter, position, limit, signal, true)
  isPartial = page.missing !== undefined
  return page
}

async function fetchPage(
  filter: ExecutionFilter, { cursor, from }: Position, limit: number, signal: AbortSignal, partial: true | null = null
): Promise<HistoryPage> {
  const page = await get<ExecutionPage>('api/executions', {
    query: {
      status: filter.status, task_name: filter.taskName, schedule_id: filter.scheduleId, worker_id: filter.workerId,
      error_group: filter.errorGroup,
      min_duration_ms: filter.minDurationMs, search: filter.search, order: filter.order,
      from, to: rangeBounds(filter.range, currentTime()).to, limit, cursor, partial
    },
    signal
  })
  return { ...page, from }
}

function firstPosition(filter: ExecutionFilter): Position {
  return { cursor: null, from: rangeBounds(filter.range, currentTime()).from }
}

export const executionKeys = { list: (filter: ExecutionFilter) => ['executions', 'list', filter] as const }

/** The history as far as the reader has scrolled. */
export function executionListQuery(filter: ExecutionFilter) {
  return infiniteQueryOptions({
    queryKey: executionKeys.list(filter),
    queryFn: ({ pageParam, signal }) => fetchPossiblePage(filter, pageParam ?? firstPosition(filter), PAGE_SIZE, signal),
    initialPageParam: null as Position | null,
    getNextPageParam: (last): Position | undefined => (last.next_cursor ? { cursor: last.next_cursor, from: last.from } : undefined),
    // Only its head is polled: refetching every page that the reader scrolled through would cost more with each one.
    // A list that lacks the data of an unavailable store is requested again until it is complete.
    refetchInterval: (query): number | false => (
      query.state.data === undefined ? recovering(query) : query.state.data.pages[0]?.missing === undefined ? false : RECOVERS_WITHIN_MS
    ),
    refetchOnWindowFocus: false,
    refetchOnReconnect: false
  })
}

/** The newest executions of a list. */
export function executionHeadQuery(filter: ExecutionFilter, limit: number) {
  return queryOptions({
    queryKey: ['executions', 'head', filter, limit],
    queryFn: ({ signal }) => fetchPage(filter, firstPosition(filter), limit, signal)
  })
}

/** How long the first page of a list also counts as its head. After that, polling fetches a new head. */
const HEAD_IS_NEW_MS = 1_000

/** The newest page of the same list. It starts as the first page of the list, if that has been read. */
export function executionFirstPageQuery(filter: ExecutionFilter) {
  const list = () => queryClient.getQueryState<{ readonly pages: readonly HistoryPage[] }>(executionKeys.list(filter))
  return queryOptions({
    ...executionHeadQuery(filter, PAGE_SIZE),
    queryFn: ({ signal }) => fetchPossiblePage(filter, firstPosition(filter), PAGE_SIZE, signal),
    initialData: () => list()?.data?.pages[0],
    initialDataUpdatedAt: () => list()?.dataUpdatedAt,
    staleTime: HEAD_IS_NEW_MS
  })
}

/** The number of executions, without the executions themselves. */
export function executionCountQuery(filter: ExecutionFilter) {
  return queryOptions({
    queryKey: ['executions', 'count', filter],
    queryFn: async ({ signal }) => (await fetchPossiblePage(filter, firstPosition(filter), 1, signal)).total
  })
}

const EXPORT_PAGE_SIZE = 200

/**
 * Reads a list page by page, for an export.
 * @param onRead called with the number of executions read so far
 * @returns at most `most` executions, and whether there are more
 */
export async function readExecutions(
  filter: ExecutionFilter, most: number, onRead: (count: number) => void, signal: AbortSignal
): Promise<{ readonly executions: Execution[]; readonly isCut: boolean }> {
  const executions: Execution[] = []
  const { from } = firstPosition(filter)
  for (let cursor: string | null = null; ;) {
    const page: HistoryPage = await fetchPage(filter, { cursor, from }, EXPORT_PAGE_SIZE, signal)
    executions.push(...page.items)
    onRead(Math.min(executions.length, most))
    cursor = page.next_cursor
    if (cursor === null || executions.length >= most)
      return { executions: executions.slice(0, most), isCut: cursor !== null || executions.length > most }
  }
}

export function executionQuery(executionId: string) {
  return queryOptions({
    queryKey: ['executions', 'item', executionId],
    queryFn: ({ signal }) => get<ExecutionDetail>(executionPath(executionId), { signal })
  })
}

/** Why an execution does not run. */
export function executionWhyQuery(executionId: string) {
  return queryOptions({
    queryKey: ['executions', 'why', executionId],
    queryFn: ({ signal }) => get<ExecutionWhy>(`${executionPath(executionId)}/why`, { signal })
  })
}

/** What BullMQ stores about the job of an execution that other code added. */
export function executionJobQuery(executionId: string) {
  return queryOptions({
    queryKey: ['executions', 'job', executionId],
    queryFn: ({ signal }) => get<ExecutionJob>(`${executionPath(executionId)}/job`, { signal })
  })
}

export function executionPath(executionId: string): string {
  return `api/executions/${segment(executionId)}`
}

import { keepPreviousData, mutationOptions, queryOptions } from '@tanstack/react-query'
import type { FailureGroup, FailureGroupPage } from '../../../schemas/index.ts'
import { currentTime } from '../format/time/clock.ts'
import { canBeNews } from '../format/failures/failure-groups.ts'
import { lastOf, rangeBounds, type TimeRange } from '../format/time/time-range.ts'
import type { FailureFilter } from '../format/failures/failure-filter.ts'
import { readAgain } from './query-client.ts'
import { get, request, segment } from './request.ts'

const GROUPS_PER_PAGE = 200
const MAX_PAGES = 5
/** Read when the reader sorts the groups. */
export const MAX_PAGES_OF_GROUPS = 10
/** Pages without a group before the reader has to continue: with a filter, the server may scan many that do not match. */
const MAX_EMPTY_PAGES = 5

const READ_AGAIN_MS = 1_200

export interface FailureGroupListing {
  /** The most recent failure comes first. */
  readonly items: FailureGroup[]
  readonly total: FailureGroupPage['total']
  /** Whether there may be more groups. For those of the last 24 hours: whether more of them may be new or rising. */
  readonly isCut: boolean
}

export interface FilteredGroups extends FailureGroupListing {
  readonly filter: FailureFilter
  /** The number of pages that were read. */
  readonly pages: number
}

/** The groups of the failures of the last 24 hours: all that can be new or rising, and some more. */
export const failureGroupsQuery = queryOptions({
  queryKey: ['failures', '24h'],
  queryFn: async ({ signal }): Promise<FailureGroupListing> => {
    const now = currentTime()
    const { from } = rangeBounds(lastOf('24h'), now)
    const isOld = (found: readonly FailureGroup[]): boolean => !canBeNews(found.at(-1)!, now)
    const listing = await readPages(
      MAX_PAGES, cursor => get<FailureGroupPage>('api/failures', { query: { from, limit: GROUPS_PER_PAGE, cursor }, signal }), isOld
    )
    return { ...listing, isCut: listing.isCut && (listing.items.length === 0 || !isOld(listing.items)) }
  },
  placeholderData: keepPreviousData
})

/** The first pages, as many as the reader has requested. */
export function failureListQuery(filter: FailureFilter, pages: number) {
  const { range, taskName, view } = filter
  return queryOptions({
    queryKey: ['failures', 'list', range, taskName, view, pages],
    queryFn: async ({ signal }): Promise<FilteredGroups> => {
      const { from, to } = rangeBounds(range, currentTime())
      const query = { from, to, task_name: taskName, state: view, limit: GROUPS_PER_PAGE }
      let read = 0
      const listing = await readPages(pages, cursor => {
        read++
        return get<FailureGroupPage>('api/failures', { query: { ...query, cursor }, signal })
      })
      return { ...listing, filter, pages: read }
    },
    placeholderData: keepPreviousData
  })
}

/** One group, counted over a range; null when it has not failed in it, or does not exist. */
export function failureGroupQuery(errorGroup: string, range: TimeRange | null) {
  return queryOptions({
    queryKey: ['failures', 'group', errorGroup, range],
    queryFn: ({ signal }) => readFailureGroup(errorGroup, { ...rangeBounds(range, currentTime()) }, signal)
  })
}

async function readFailureGroup(
  errorGroup: string, range: Partial<ReturnType<typeof rangeBounds>> = {}, signal?: AbortSignal
): Promise<FailureGroup | null> {
  const query = { error_group: errorGroup, ...range }
  const { items } = await get<FailureGroupPage>('api/failures', { query, ...signal && { signal } })
  return items[0] ?? null
}

/**
 * The group, once it has a failure that the reader has not seen; null if it has none yet. Reads twice if necessary, because the server may
 * respond with data that is a second old.
 */
export async function readFailedAgain({ error_group: errorGroup, last_seen_at: seen }: FailureGroup): Promise<FailureGroup | null> {
  for (const afterMs of [0, READ_AGAIN_MS]) {
    if (afterMs > 0) await new Promise(resolve => { setTimeout(resolve, afterMs) })
    const found = await readFailureGroup(errorGroup)
    if (found !== null && found.last_seen_at !== seen) return found
  }
  return null
}

export interface Deciding {
  readonly group: Pick<FailureGroup, 'error_group' | 'last_seen_at'>
  readonly verb: 'resolve' | 'reopen'
  readonly note: string | undefined
  readonly reason: string | undefined
}

/** Needs no key: repeating it changes nothing. */
export const decideFailureGroup = mutationOptions({
  mutationFn: async ({ group, verb, note, reason }: Deciding) => (await request<FailureGroup>(
    `api/failures/${segment(group.error_group)}/${verb}`, {
      method: 'PUT', reason,
      // Failures that happened while the reader was looking are not resolved unseen.
      body: { ...note !== undefined && { note }, ...verb === 'resolve' && { if_last_seen_at: group.last_seen_at } }
    }
  )).data,
  onSettled: () => readAgain({ queryKey: ['failures'] })
})

async function readPages(
  pages: number,
  read: (cursor: string | null) => Promise<FailureGroupPage>,
  isEnough: (found: readonly FailureGroup[]) => boolean = () => false
): Promise<FailureGroupListing> {
  const items: FailureGroup[] = []
  for (let page = 1, cursor: string | null = null; ; page++) {
    const { items: found, next_cursor: next, total }: FailureGroupPage = await read(cursor)
    items.push(...found)
    const isCut = next !== null
    const isAsFarAsAsked = page >= pages && (items.length > 0 || page >= pages + MAX_EMPTY_PAGES)
    if (!isCut || isAsFarAsAsked || (found.length > 0 && isEnough(found))) return { items, total: totalOf(items, total, isCut), isCut }
    cursor = next
  }
}

/** With a filter, a server may count only what is on a page. */
function totalOf(items: readonly FailureGroup[], total: FailureGroupPage['total'], isCut: boolean): FailureGroupPage['total'] {
  return isCut ? { ...total, value: Math.max(total.value, items.length) } : { value: items.length, relation: 'exact' }
}

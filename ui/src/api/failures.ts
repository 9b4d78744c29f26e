import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { FailureGroup, FailureGroupPage } from '../../../schemas/index.ts'
import { rangeStart } from '../format/address.ts'
import { currentTime } from '../format/clock.ts'
import { canBeNews } from '../format/failure-groups.ts'
import { get } from './request.ts'

const GROUPS_A_PAGE = 200
const PAGES_AT_MOST = 5

export interface FailureGroupListing {
  /** Those that failed last come first. */
  readonly items: FailureGroup[]
  readonly total: FailureGroupPage['total']
  /** Some that are not among the items may be new or rising. */
  readonly isCut: boolean
}

/** The groups of the failures of the last 24 hours: all that can be new or rising, and some more. */
export const failureGroupsQuery = queryOptions({
  queryKey: ['failures', '24h'],
  queryFn: async ({ signal }): Promise<FailureGroupListing> => {
    const now = currentTime()
    const from = rangeStart('24h', now)
    const items: FailureGroup[] = []
    for (let page = 1, cursor: string | null = null; ; page++) {
      const { items: found, next_cursor: next, total }: FailureGroupPage = await get<FailureGroupPage>('api/failures', { query: { from, limit: GROUPS_A_PAGE, cursor }, signal })
      items.push(...found)
      const isCut = next !== null && found.length > 0 && canBeNews(found.at(-1)!, now)
      if (!isCut || page === PAGES_AT_MOST) return { items, total, isCut }
      cursor = next
    }
  },
  placeholderData: keepPreviousData
})

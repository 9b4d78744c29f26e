import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { failureListQuery, MAX_PAGES_OF_GROUPS } from '../../api/failures.ts'
import { hourlyLoadQuery } from '../../api/timeseries.ts'
import type { FailureFilter } from '../../format/failures/failure-filter.ts'
import { byUrgency } from '../../format/failures/failure-groups.ts'
import { sortedGroups } from '../../format/failures/failure-list.ts'
import type { Sorting } from '../../format/lists/sorting.ts'
import { currentTime } from '../../format/time/clock.ts'
import { usePolling } from '../../hooks/use-polling.ts'
import { useSettled } from '../../hooks/use-settled.ts'
import { useStill } from '../../hooks/use-still.ts'
import { LOAD_POLLED_EVERY_MS } from './use-failure-groups.ts'

const POLLED_EVERY_MS = 10_000

/** The pages that the reader has requested, or all pages if the reader sorts them, and the baseline of their trends. */
export function useListedGroups(filter: FailureFilter, sorting: Sorting | null) {
  const key = JSON.stringify(filter)
  const [asked, setAsked] = useState({ key, pages: 1 })
  const pages = sorting ? MAX_PAGES_OF_GROUPS : asked.key === key ? asked.pages : 1
  const [read, setRead] = useState(1)
  const query = useQuery({ ...failureListQuery(filter, pages), ...usePolling(POLLED_EVERY_MS * read) })
  const { data, failure, updatedAt, retry } = useSettled(query)
  const load = useSettled(useQuery({ ...hourlyLoadQuery, ...usePolling(LOAD_POLLED_EVERY_MS) })).data ?? NO_LOAD
  const isGrowing = query.isPlaceholderData
  // Groups of the previous span, kept while these load, would be wrong.
  const listing = data && JSON.stringify(data.filter) === key ? data : undefined
  // The more pages it takes, the less often it is requested.
  if (listing && listing.pages !== read) setRead(listing.pages)
  const { shown, hold } = useStill(useMemo(
    // Only the server knows the order of a list that was cut.
    () => listing && { ...listing, items: listing.isCut ? listing.items : listing.items.toSorted(byUrgency(load, currentTime())) },
    [listing, load]
  ), `${key} ${isGrowing}`)
  const order = shown && !shown.isCut ? sorting : null
  const items = useMemo(() => shown && (order ? sortedGroups(shown.items, order) : shown.items), [shown, order])
  return {
    shown: shown && items && { ...shown, items }, order, hold, load, failure, updatedAt, retry, isGrowing,
    isTooLong: sorting !== null && shown !== undefined && shown.isCut && !isGrowing,
    showMore: () => setAsked({ key, pages: pages + 1 })
  }
}

const NO_LOAD: readonly never[] = []

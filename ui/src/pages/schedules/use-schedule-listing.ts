import { useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { MAX_PAGES_OF_SCHEDULES, schedulesQuery, SCHEDULES_PER_PAGE } from '../../api/schedules.ts'
import { statsQuery } from '../../api/stats.ts'
import { usePolling } from '../../hooks/use-polling.ts'
import { useSettled } from '../../hooks/use-settled.ts'

const POLLED_EVERY_MS = 4_000

interface Asked {
  readonly enabledOnly: boolean
  readonly search: string
  /** For statements about the whole list; otherwise the list grows as the reader scrolls. */
  readonly isWhole: boolean
}

/** The requested schedules, and how many there are in all; null if that is not known. */
export function useScheduleListing({ enabledOnly, search, isWhole }: Asked) {
  const filter = `${enabledOnly} ${search}`
  const [scrolled, setScrolled] = useState({ filter, pages: 1 })
  const [size, setSize] = useState(1)
  const pages = isWhole ? MAX_PAGES_OF_SCHEDULES : scrolled.filter === filter ? scrolled.pages : 1
  const query = useQuery({ ...schedulesQuery({ enabledOnly, search }, pages), ...usePolling(POLLED_EVERY_MS * Math.max(size, 1)) })
  const settled = useSettled(query)
  const isCut = settled.data?.isCut ?? false
  const read = Math.ceil((settled.data?.schedules.length ?? 0) / SCHEDULES_PER_PAGE)
  // The more pages it takes, the less often it is requested.
  if (read !== size) setSize(read)
  const counts = useQuery({ ...statsQuery, enabled: isCut && search === '' }).data?.schedules
  /** The server counts these, even for a list that is too long to load completely. */
  const overdue = isCut && search === '' && !enabledOnly ? counts?.overdue : undefined
  const total = isCut ? search === '' && counts ? counts[enabledOnly ? 'enabled' : 'total'] : null : settled.data?.schedules.length ?? null
  const mayGoOn = isCut && !isWhole && !query.isPlaceholderData
  const onEnd = useCallback(() => { if (mayGoOn) setScrolled({ filter, pages: pages + 1 }) }, [filter, pages, mayGoOn])
  return { ...settled, total, overdue, onEnd, isGrowing: query.isPlaceholderData }
}

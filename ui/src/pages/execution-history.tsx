import { keepPreviousData, useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { Link } from 'wouter'
import type { Task } from '../../../schemas/index.ts'
import { executionCountQuery, executionHeadQuery, executionKeys, executionListQuery, PAGE_SIZE, type HistoryPage } from '../api/executions.ts'
import { queryClient, recovering } from '../api/query-client.ts'
import { completionsQuery } from '../api/search.ts'
import { statsQuery } from '../api/stats.ts'
import { Code } from '../components/code.tsx'
import { ExecutionList } from '../components/execution-list.tsx'
import { HistoryFilters } from '../components/history-filters.tsx'
import { Moment } from '../components/moment.tsx'
import { SearchBox } from '../components/search-box.tsx'
import { Section } from '../components/section.tsx'
import { Empty, Failed, SkeletonRows, Stale } from '../components/states.tsx'
import { isRange } from '../format/address.ts'
import { minDurationFrom, type ExecutionFilter } from '../format/execution-filter.ts'
import { retentionWords } from '../format/history-kept.ts'
import { toLiveList } from '../format/live-list.ts'
import { formatCount, plural } from '../format/number.ts'
import { isStatus, STATUSES } from '../format/status.ts'
import { useAddress } from '../hooks/use-address.ts'
import { usePolling } from '../hooks/use-pause.ts'
import { useSettled, type Failure } from '../hooks/use-settled.ts'

const RECOVER_AT_LEAST_EVERY_MS = 60_000
const NO_FILTER = { status: null, task: null, schedule: null, range: null, worker: null, group: null, took: null, search: null }
const SHOWN_FIRST = /[?&](?:status|schedule|worker|group|search)=/
const FIRST_EXECUTION = "await queueApp.enqueue('email:send', ['ada@example.com', 'Welcome'])"

interface Props {
  readonly tasks: readonly Task[] | undefined
  /** Why what stands above could not be loaded: the same is not said twice. */
  readonly saidAbove: string | null
}

export function ExecutionHistory({ tasks, saidAbove }: Props) {
  const address = useAddress()
  const filter = useFilter()
  const history = useHistory(filter)
  const counts = useCounts(filter, history.isCountable)
  const { settled, executions, total } = history
  const isFiltered = Object.values(filter).some((value) => value !== null)
  const fault = faultOf(settled.failure)
  useShownFirst(isFiltered && settled.data !== undefined && tasks !== undefined)

  return (
    <Section
      title="Executions" className="history-section"
      aside={<span className="section-aside"><Stale failure={history.headFailure} updatedAt={history.headUpdatedAt} /><News history={history} /></span>}
    >
      <Search value={filter.search ?? ''} fault={fault} onSearch={(search) => address.go({ search })} />
      <HistoryFilters
        filter={filter} counts={counts} taskNames={tasks?.map((task) => task.name) ?? []} groupName={executions[0]?.error?.type ?? null}
        href={(change) => address.href(change)} onChange={(change) => address.go(change)}
      />
      {settled.data
        ? executions.length === 0
          ? history.partial ? null : isFiltered
            ? <Empty title="No execution matches these filters"><p><Link href={address.href(NO_FILTER)}>Show all executions</Link></p></Empty>
            : <Empty title="Nothing has run yet"><p>Executions appear here from the moment they are enqueued.</p><Code label="How to enqueue an execution" text={FIRST_EXECUTION} /></Empty>
          : <ExecutionList
            executions={executions} total={total} openId={address.get('execution')} movedOn={history.movedOn}
            href={(id) => address.href({ execution: id })} onEnd={history.onEnd} onHold={history.hold}
          />
        : fault ? null : settled.failure ? <Failed what="The execution history" failure={settled.failure} onRetry={settled.retry} isBrief={settled.failure.message === saidAbove} /> : <SkeletonRows count={12} label="Loading executions" />}
      {history.isLoadingMore && !history.partial && <SkeletonRows count={3} label="Loading more executions" />}
      {history.hasLoadMoreFailed && !history.isLoadingMore && <p className="end">More could not be loaded. <button type="button" className="button button-small" onClick={history.loadMore}>Try again</button></p>}
      {history.partial && <Partial filter={filter} {...history.partial} found={executions.length} onStop={history.stop} onGoOn={history.goOn} />}
      {history.isComplete && executions.length > 20 && <p className="end muted">That is all: {plural(executions.length, 'execution')}.</p>}
      {history.isComplete && <Kept />}
    </Section>
  )
}

function useFilter(): ExecutionFilter {
  const { get } = useAddress()
  const [status, range, taskName, scheduleId] = [get('status'), get('range'), get('task'), get('schedule')]
  const [workerId, errorGroup, took, search] = [get('worker'), get('group'), get('took'), get('search')]
  return useMemo(() => ({
    status: isStatus(status) ? status : null,
    range: isRange(range) ? range : null,
    minDurationMs: minDurationFrom(took),
    taskName, scheduleId, workerId, errorGroup, search
  }), [status, range, taskName, scheduleId, workerId, errorGroup, took, search])
}

/** @param isAsked false: the search cannot be read, or would have to look through everything for each number */
function useCounts(filter: ExecutionFilter, isAsked: boolean) {
  const polling = usePolling(5_000)
  const wanted = [null, ...STATUSES] as const
  const results = useQueries({
    queries: wanted.map((status) => ({ ...executionCountQuery({ ...filter, status }), ...polling, placeholderData: keepPreviousData, enabled: isAsked }))
  })
  // Counts of other filters, kept while these load, would be false.
  const [all, pending, running, success, failed] = results.map((result) => (result.isPlaceholderData || !isAsked ? undefined : result.data))
  return { all, pending, running, success, failed }
}

/**
 * The list as it is on screen. While the reader is at its top and does not point at it, it follows the server; otherwise
 * rows change in place only, and what is new waits for a click.
 */
function useHistory(filter: ExecutionFilter) {
  const polling = usePolling(3_000)
  const list = useInfiniteQuery(executionListQuery(filter))
  // What was looked through would be looked through again with every poll.
  const isScanned = list.data?.pages.some((page) => page.scanned !== null) ?? false
  // Also while the list has failed to load again: its head is what makes it current then.
  const head = useSettled(useQuery({ ...executionHeadQuery(filter), ...polling, enabled: list.data !== undefined && !isScanned }))
  const settled = useSettled(list)
  const [isHeld, hold] = useState(false)

  const pages = list.data?.pages
  const isFrozen = isHeld || (pages?.length ?? 0) > 1 || isTopOutOfSight()

  const show = useCallback((page: HistoryPage) => {
    queryClient.setQueryData(executionListQuery(filter).queryKey, { pages: [page], pageParams: [null] })
  }, [filter])
  useEffect(() => {
    if (head.data && !isFrozen) show(head.data)
  }, [head.data, isFrozen, show])

  const merged = useMemo(() => toLiveList(pages ?? [], head.data), [pages, head.data])

  const { fetchNextPage, hasNextPage, isFetchingNextPage, isFetchNextPageError } = list
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) fetchNextPage().catch(() => {})
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])
  const nothing = useCallback(() => {}, [])
  useRecovery(isFetchNextPageError && !isFetchingNextPage, list.error, loadMore)
  const total = (head.data ?? pages?.at(-1))?.total
  const isPartial = hasNextPage && pages?.at(-1)?.complete === false
  const search = useLookingOn(filter, isPartial && !isFetchNextPageError, merged.executions.length, loadMore)
  return {
    ...merged,
    settled,
    hold,
    headFailure: head.failure,
    headUpdatedAt: head.updatedAt,
    isFrozen,
    total: total?.relation === 'exact' ? total.value : null,
    isScanned,
    /** Counting costs no looking through. */
    isCountable: filter.search === null || (list.data !== undefined && !isScanned),
    /** It stopped at a bound and there may be more: it goes on by itself until it has a screen full, or is stopped. */
    partial: isPartial ? { scanned: pages.reduce((sum, page) => sum + (page.scanned ?? 0), 0), goesOn: search.goesOn } : null,
    stop: search.stop,
    goOn: search.goOn,
    searchAgain: () => { queryClient.resetQueries({ queryKey: executionKeys.list(filter), exact: true }).catch(() => {}) },
    isLoadingMore: isFetchingNextPage,
    isComplete: list.data !== undefined && !hasNextPage,
    loadMore,
    // After a failure the wait decides when: asking with every scroll would hammer a server that is in trouble.
    onEnd: isFetchNextPageError ? nothing : isPartial ? search.onEnd : loadMore,
    hasLoadMoreFailed: isFetchNextPageError,
    showNews: () => {
      queryClient.removeQueries({ queryKey: executionKeys.list(filter), exact: true, type: 'inactive' })
      if (head.data) show(head.data)
      document.querySelector('.history-section')?.scrollIntoView({ block: 'start' })
    }
  }
}

/** Looks on from page to page until there is as much as the reader has scrolled to, and another page. */
function useLookingOn(filter: ExecutionFilter, isPartial: boolean, found: number, loadMore: () => void) {
  const begun = { filter, isStopped: false, wanted: PAGE_SIZE }
  const [kept, set] = useState(begun)
  const { isStopped, wanted } = kept.filter === filter ? kept : begun
  const goesOn = isPartial && !isStopped && found < wanted
  useEffect(() => { if (goesOn) loadMore() }, [goesOn, loadMore])
  const more = (): void => set({ filter, isStopped: false, wanted: found + PAGE_SIZE })
  const onEnd = useCallback(() => set((last) =>
    (last.filter === filter && last.isStopped ? last : { filter, isStopped: false, wanted: found + PAGE_SIZE })), [filter, found])
  return { goesOn, stop: () => set({ filter, isStopped: true, wanted }), goOn: more, onEnd }
}

/** Asks again by itself, after a wait that doubles with each failure. */
function useRecovery(hasFailed: boolean, error: unknown, again: () => void): void {
  const failures = useRef(0)
  useEffect(() => {
    if (!hasFailed) return
    const wait = recovering({ state: { status: 'error', error } })
    if (wait === false) return
    const timer = setTimeout(again, Math.min(wait * 2 ** failures.current++, RECOVER_AT_LEAST_EVERY_MS))
    return () => clearTimeout(timer)
  }, [hasFailed, error, again])
}

function isTopOutOfSight(): boolean {
  return (document.querySelector('.history-section')?.getBoundingClientRect().top ?? 0) < 0
}

/** Who follows a link to some executions comes for them, not for the tasks above: once, and only while nobody has scrolled. */
function useShownFirst(isReady: boolean): void {
  const [isWanted] = useState(() => SHOWN_FIRST.test(location.search))
  useEffect(() => {
    if (isReady && isWanted && window.scrollY === 0) document.querySelector('.history-section')?.scrollIntoView({ block: 'start' })
  }, [isReady, isWanted])
}

interface Fault {
  readonly position: number
  readonly message: string
}

function faultOf(failure: Failure | null): Fault | null {
  if (failure?.code !== 'INVALID_SEARCH') return null
  const [field] = failure.fields
  return { position: field?.position ?? 0, message: field?.message ?? failure.message }
}

function Search({ value, fault, onSearch }: { value: string; fault: Fault | null; onSearch: (search: string | null) => void }) {
  const [typed, setTyped] = useState<{ readonly text: string; readonly position: number } | null>(null)
  const { data } = useQuery({ ...completionsQuery(typed?.text ?? '', typed?.position ?? 0), enabled: typed !== null })
  return <SearchBox value={value} fault={fault} completions={typed === null ? undefined : data} onType={setTyped} onSearch={(text) => onSearch(text || null)} />
}

interface PartialProps {
  readonly filter: ExecutionFilter
  readonly scanned: number
  readonly found: number
  readonly goesOn: boolean
  readonly onStop: () => void
  readonly onGoOn: () => void
}

/** How far a search has looked: at least so much of what the other filters leave, since the search itself may leave less. */
function Partial({ filter, scanned, found, goesOn, onStop, onGoOn }: PartialProps) {
  const total = useQuery({ ...executionCountQuery({ ...filter, search: null }), enabled: filter.search !== null, staleTime: 60_000 }).data
  const isKnown = total?.relation === 'exact' && total.value > 0
  return (
    <p className="end">
      <span role="status">{isKnown ? `${Math.min(99, Math.floor((scanned / total.value) * 100))} % searched` : `${formatCount(scanned)} searched`} · {formatCount(found)} found</span>{' '}
      <button type="button" className="button button-small" onClick={goesOn ? onStop : onGoOn}>{goesOn ? 'Stop' : 'Go on'}</button>
    </p>
  )
}

/** Where the history ends, and why. */
function Kept() {
  const history = useQuery(statsQuery).data?.history
  if (!history?.pruned_before) return null
  return <p className="end muted">Older ones are not kept: what finished until <Moment at={history.pruned_before} as="both" /> was removed. {retentionWords(history)}</p>
}

function News({ history: { news, hasMoreNews, movedOn, isFrozen, showNews, executions, isScanned, searchAgain } }: { history: ReturnType<typeof useHistory> }) {
  if (isScanned) return <button type="button" className="button button-small" onClick={searchAgain} title="This search looks through the history; it does not follow what is new">Search again</button>
  if (!isFrozen || executions.length === 0 || (news === 0 && movedOn.size === 0)) return null
  const parts = [news > 0 ? `${news}${hasMoreNews ? '+' : ''} new` : null, movedOn.size > 0 ? `${movedOn.size} changed` : null].filter(Boolean)
  return <button type="button" className="button button-small button-news" onClick={showNews}>{parts.join(', ')} · show</button>
}

import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { Link } from 'wouter'
import type { Task } from '../../../schemas/index.ts'
import { executionCountQuery } from '../api/executions.ts'
import { completionsQuery } from '../api/search.ts'
import { Code } from '../components/code.tsx'
import { ExecutionList } from '../components/execution-list.tsx'
import { HistoryFilters } from '../components/history-filters.tsx'
import { SearchBox } from '../components/search-box.tsx'
import { Section } from '../components/section.tsx'
import { Empty, Failed, SkeletonRows, Stale } from '../components/states.tsx'
import { isRange } from '../format/address.ts'
import { minDurationFrom, type ExecutionFilter } from '../format/execution-filter.ts'
import { isStatus, STATUSES } from '../format/status.ts'
import { useAddress } from '../hooks/use-address.ts'
import { useLiveHistory } from '../hooks/use-live-history.ts'
import { usePolling } from '../hooks/use-pause.ts'
import type { Failure } from '../hooks/use-settled.ts'
import { HistoryEnd, HistoryNews } from './history-ends.tsx'

const NO_FILTER = {
  status: null, task: null, schedule: null, range: null, worker: null, group: null, took: null, search: null, order: null
}
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
  const history = useLiveHistory(filter)
  const counts = useCounts(filter, history.isCountable)
  const { settled, executions, total } = history
  const isFiltered = Object.values({ ...filter, order: null }).some(value => value !== null)
  const fault = faultOf(settled.failure)
  useShownFirst(isFiltered && settled.data !== undefined && tasks !== undefined)

  return (
    <Section
      title="Executions" className="history-section"
      aside={<span className="section-aside">
        <Stale failure={history.headFailure} updatedAt={history.headUpdatedAt} /><HistoryNews history={history} />
      </span>}
    >
      <Search value={filter.search ?? ''} fault={fault} onSearch={search => address.go({ search })} />
      <HistoryFilters
        filter={filter} counts={counts} taskNames={tasks?.map(task => task.name) ?? []} groupName={executions[0]?.error?.type ?? null}
        href={change => address.href(change)} onChange={change => address.go(change)}
      />
      {settled.data
        ? executions.length === 0
          ? history.isPartial ? null : isFiltered
            ? <Empty title="No execution matches these filters">
              <p><Link href={address.href(NO_FILTER)}>Show all executions</Link></p>
            </Empty>
            : <Empty title="Nothing has run yet">
              <p>Executions appear here from the moment they are enqueued.</p><Code
                label="How to enqueue an execution" text={FIRST_EXECUTION}
              />
            </Empty>
          : <ExecutionList
            executions={executions} total={total} openId={address.get('execution')} movedOn={history.movedOn}
            href={id => address.href({ execution: id })} onEnd={history.onEnd} onHold={history.hold}
          />
        : fault
          ? null
          : settled.failure
            ? <Failed
              what="The execution history" failure={settled.failure} onRetry={settled.retry} isBrief={settled.failure.message === saidAbove}
            />
            : <SkeletonRows count={12} label="Loading executions" />}
      <HistoryEnd filter={filter} history={history} />
    </Section>
  )
}

function useFilter(): ExecutionFilter {
  const { get } = useAddress()
  const [status, range, taskName, scheduleId] = [get('status'), get('range'), get('task'), get('schedule')]
  const [workerId, errorGroup, took, search] = [get('worker'), get('group'), get('took'), get('search')]
  const isOldestFirst = get('order') === 'oldest'
  return useMemo(() => ({
    status: isStatus(status) ? status : null,
    range: isRange(range) ? range : null,
    minDurationMs: minDurationFrom(took),
    order: isOldestFirst ? 'oldest' : null,
    taskName, scheduleId, workerId, errorGroup, search
  }), [status, range, taskName, scheduleId, workerId, errorGroup, took, search, isOldestFirst])
}

/** @param isAsked false: the search cannot be read, or would have to look through everything for each number */
function useCounts(filter: ExecutionFilter, isAsked: boolean) {
  const polling = usePolling(5_000)
  const wanted = [null, ...STATUSES] as const
  const results = useQueries({
    queries: wanted.map(status => ({
      ...executionCountQuery({ ...filter, status, order: null }), ...polling, placeholderData: keepPreviousData, enabled: isAsked
    }))
  })
  // Counts of other filters, kept while these load, would be false.
  const [all, pending, running, success, failed] = results.map(result => (result.isPlaceholderData || !isAsked ? undefined : result.data))
  return { all, pending, running, success, failed }
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
  return <SearchBox
    value={value} fault={fault} completions={typed === null ? undefined : data} onType={setTyped}
    onSearch={text => onSearch(text || null)}
  />
}

import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { Link } from 'wouter'
import { tasksQuery } from '../../api/tasks.ts'
import { Code } from '../../components/elements/code.tsx'
import { HistoryFilters } from '../../components/executions/history-filters.tsx'
import { RangeProblem } from '../../components/stats/range-problem.tsx'
import { Empty, Failed, SkeletonRows, Stale } from '../../components/frame/states.tsx'
import { isFiltered, NO_FILTER, type ExecutionFilter } from '../../format/executions/execution-filter.ts'
import { useAddress } from '../../hooks/use-address.ts'
import { useSlowly } from '../../hooks/use-slowly.ts'
import { useExecutionFilter } from '../../hooks/use-execution-filter.ts'
import { useLiveHistory, type LiveHistory } from '../../hooks/use-live-history.ts'
import { useTimeRange } from '../../hooks/use-time-range.ts'
import { AllThatMatch, BulkLink } from '../bulk/all-that-match.tsx'
import { ExecutionPanel } from './execution-panel.tsx'
import { ExecutionSearch, faultOf } from './execution-search.tsx'
import { ExportButton } from './export-button.tsx'
import { HistoryEnd, HistoryMissing, HistoryNews } from './history-ends.tsx'
import { useCounts } from '../dashboard/use-counts.ts'
import { SelectableExecutions } from './selectable-executions.tsx'
import { useNeighboursAhead } from './use-neighbours-ahead.ts'
import { executionTexts } from '../../texts/executions.ts'
import { MINUTE_MS } from '../../format/time/units.ts'

const TASKS_ASKED_EVERY_MS = MINUTE_MS
/** The task names for the filter can wait until the page is shown. */
const TASKS_ASKED_AFTER_MS = 500
const FIRST_EXECUTION = "await queueApp.enqueue('email:send', ['ada@example.com', 'Welcome'])"

/** All executions, the last changed first, with search, filters, and one of them open beside the list. */
export function ExecutionsPage() {
  const address = useAddress()
  const filter = useExecutionFilter()
  const history = useLiveHistory(filter)
  const { counts, ...counted } = useCounts(filter, history.isCountable)
  const isThere = useSlowly(true, TASKS_ASKED_AFTER_MS, false)
  const { data: tasks } = useQuery({ ...tasksQuery, staleTime: TASKS_ASKED_EVERY_MS, enabled: isThere })
  const fault = faultOf(history.settled.failure)
  const openId = address.get('execution')
  useNeighboursAhead(history.executions, openId)
  const close = useCallback(() => address.go({ execution: null }), [address])
  return (
    <>
      <div className="history-section">
        <div className="page-header">
          <h1>{executionTexts.title}</h1>
          <Stale failure={history.headFailure} updatedAt={history.headUpdatedAt} />
          <div className="page-tools">
            <HistoryNews history={history} /><AllThatMatch filter={filter} /><BulkLink /><ExportButton filter={filter} />
          </div>
        </div>
        <ExecutionSearch value={filter.search ?? ''} fault={fault} onSearch={search => address.go({ search })} />
        <RangeProblem problem={useTimeRange(null).problem} />
        <HistoryFilters
          filter={filter} counts={counts} stale={<Stale {...counted} />} taskNames={tasks?.map(task => task.name) ?? []}
          groupName={history.executions[0]?.error?.type ?? null}
          href={change => address.href(change)} onChange={change => address.go(change)}
        />
        <HistoryMissing missing={history.missing} />
        {fault === null && <History filter={filter} history={history} />}
        <HistoryEnd filter={filter} history={history} />
      </div>
      {openId && <ExecutionPanel key={openId} executionId={openId} onClose={close} />}
    </>
  )
}

function History({ filter, history }: { filter: ExecutionFilter; history: LiveHistory }) {
  const { href, get } = useAddress()
  const executionHref = useCallback((id: string) => href({ execution: id }), [href])
  return (
    <SelectableExecutions
      filter={filter} executions={history.executions} total={history.total} openId={get('execution')} movedOn={history.movedOn}
      href={executionHref} order={filter.order} orderHref={order => href({ order })} onEnd={history.onEnd} onHold={history.hold}
    >
      <NoExecutions filter={filter} history={history} />
    </SelectableExecutions>
  )
}

function NoExecutions({ filter, history }: { filter: ExecutionFilter; history: LiveHistory }) {
  const { href } = useAddress()
  const { settled } = history
  if (!settled.data)
    return settled.failure
      ? <Failed what={executionTexts.theHistory} failure={settled.failure} onRetry={settled.retry} />
      : <SkeletonRows count={12} label={executionTexts.loading} />
  if (history.isPartial || history.missing !== null) return null
  if (isFiltered(filter))
    return <Empty title={executionTexts.noneMatches}><p><Link href={href(NO_FILTER)}>{executionTexts.showAll}</Link></p></Empty>
  return (
    <Empty title={executionTexts.nothingYet}>
      <p>{executionTexts.appearHere}</p><Code label={executionTexts.howToEnqueue} text={FIRST_EXECUTION} />
    </Empty>
  )
}

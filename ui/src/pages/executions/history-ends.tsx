import { useQuery } from '@tanstack/react-query'
import { executionCountQuery } from '../../api/executions.ts'
import { statsQuery } from '../../api/stats.ts'
import { Moment } from '../../components/elements/moment.tsx'
import { SkeletonRows } from '../../components/frame/states.tsx'
import type { ExecutionFilter } from '../../format/executions/execution-filter.ts'
import { retentionWords } from '../../format/executions/history-kept.ts'
import { formatCount, plural } from '../../format/stats/number.ts'
import type { LiveHistory } from '../../hooks/use-live-history.ts'

const SAID_FROM = 20

interface Props {
  readonly filter: ExecutionFilter
  readonly history: LiveHistory
}

/** What stands below the last row: that there is more, why there is not, or how far a search is. */
export function HistoryEnd({ filter, history }: Props) {
  const { phase, executions, isPartial, isComplete } = history
  return (
    <>
      {phase === 'extending' && <SkeletonRows count={3} label="Loading more executions" />}
      {phase === 'retrying' &&
        <p className="end">
          More could not be loaded. <button type="button" className="button button-small" onClick={history.loadMore}>Try again</button>
        </p>}
      {isPartial && <Searched filter={filter} history={history} />}
      {isComplete && executions.length > SAID_FROM && <p className="end muted">That is all: {plural(executions.length, 'execution')}.</p>}
      {isComplete && <Kept />}
    </>
  )
}

/** How far a search has looked: at least so much of what the other filters leave, since the search itself may leave less. */
function Searched({ filter, history: { phase, scanned, executions, stop, goOn } }: Props) {
  const total = useQuery({
    ...executionCountQuery({ ...filter, search: null, order: null }), enabled: filter.search !== null, staleTime: 60_000
  }).data
  const isKnown = total?.relation === 'exact' && total.value > 0
  const goesOn = phase === 'searching'
  return (
    <p className="end">
      <span role="status">
        {isKnown
          ? `${Math.min(99, Math.floor((scanned / total.value) * 100))} % searched`
          : `${formatCount(scanned)} searched`} · {formatCount(executions.length)} found
      </span>{' '}
      <button type="button" className="button button-small" onClick={goesOn ? stop : goOn}>{goesOn ? 'Stop' : 'Go on'}</button>
    </p>
  )
}

/** Where the history ends, and why. */
function Kept() {
  const history = useQuery(statsQuery).data?.history
  if (!history?.pruned_before) return null
  return <p className="end muted">
    Older ones are not kept: what finished until <Moment at={history.pruned_before} as="both" /> was removed. {retentionWords(history)}
  </p>
}

/** What is not in the list, and the way to it. */
export function HistoryNews(
  { history: { phase, news, hasMoreNews, movedOn, showNews, executions, isScanned, readAgain } }: { history: LiveHistory }
) {
  if (isScanned)
    return <button
      type="button" className="button button-small" onClick={readAgain}
      title="This search covers the history; it does not follow new executions"
    >
      Search again
    </button>
  if (phase === 'still')
    return <button
      type="button" className="button button-small" onClick={readAgain}
      title="With the oldest first, new executions come last and do not load by themselves"
    >
      Load again
    </button>
  if (phase === 'following' || executions.length === 0 || (news === 0 && movedOn.size === 0)) return null
  const parts = [
    news > 0 ? `${news}${hasMoreNews ? '+' : ''} new` : null, movedOn.size > 0 ? `${movedOn.size} changed` : null
  ].filter(Boolean)
  return <button type="button" className="button button-small button-news" onClick={showNews}>{parts.join(', ')} · show</button>
}

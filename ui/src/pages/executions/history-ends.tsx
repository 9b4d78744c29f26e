import { useQuery } from '@tanstack/react-query'
import { executionCountQuery } from '../../api/executions.ts'
import { statsQuery } from '../../api/stats.ts'
import { Moment } from '../../components/elements/moment.tsx'
import { StatusMark } from '../../components/elements/status-mark.tsx'
import { SkeletonRows } from '../../components/frame/states.tsx'
import type { ExecutionFilter } from '../../format/executions/execution-filter.ts'
import { retentionWords } from '../../format/executions/history-kept.ts'
import type { LiveHistory } from '../../hooks/use-live-history.ts'
import { executionTexts } from '../../texts/executions.ts'
import { frameTexts } from '../../texts/frame.ts'
import { MINUTE_MS } from '../../format/time/units.ts'

const SAID_FROM = 20

interface Props {
  readonly filter: ExecutionFilter
  readonly history: LiveHistory
}

/** Shown below the last row: that there is more, why there is not, or how far a search has got. */
export function HistoryEnd({ filter, history }: Props) {
  const { phase, executions, isPartial, isComplete, isScanned } = history
  return (
    <>
      {phase === 'extending' && <SkeletonRows count={3} label={executionTexts.loadingMore} />}
      {phase === 'retrying' &&
        <p className="end">
          {executionTexts.moreNotLoaded} <button type="button" className="button button-small" onClick={history.loadMore}>
            {frameTexts.tryAgain}
          </button>
        </p>}
      {isPartial && <Searched filter={filter} history={history} />}
      {isComplete && (isScanned
        ? <p className="end muted" role="status">{executionTexts.allSearched(executions.length)}</p>
        : executions.length > SAID_FROM && <p className="end muted">{executionTexts.thatIsAll(executions.length)}</p>)}
      {isComplete && <Kept />}
    </>
  )
}

/** How far a search has got. This is a lower bound, because the search itself may match less than the other filters. */
function Searched({ filter, history: { phase, scanned, executions, stop, goOn } }: Props) {
  const total = useQuery({
    ...executionCountQuery({ ...filter, search: null, order: null }), enabled: filter.search !== null, staleTime: MINUTE_MS
  }).data
  const isKnown = total?.relation === 'exact' && total.value > 0
  const goesOn = phase === 'searching'
  return (
    <p className="end">
      <span role="status">
        {isKnown
          ? executionTexts.percentSearched(Math.min(99, Math.floor((scanned / total.value) * 100)))
          : executionTexts.countSearched(scanned)} · {executionTexts.countFound(executions.length)}
      </span>{' '}
      <button type="button" className="button button-small" onClick={goesOn ? stop : goOn}>
        {goesOn ? executionTexts.stop : executionTexts.goOn}
      </button>
    </p>
  )
}

/** Where the history ends, and why. */
function Kept() {
  const history = useQuery(statsQuery).data?.history
  if (!history?.pruned_before) return null
  return <p className="end muted">
    {executionTexts.olderNotKept(<Moment at={history.pruned_before} as="both" />, retentionWords(history))}
  </p>
}

/** What the list lacks while a store is unavailable. */
export function HistoryMissing({ missing }: Pick<LiveHistory, 'missing'>) {
  if (missing === null) return null
  return <p className="alert" role="status"><StatusMark mark="warning" word={executionTexts.missing[missing]} /></p>
}

/** Says what is not in the list yet, with a button that loads it. */
export function HistoryNews(
  { history: { phase, news, hasMoreNews, movedOn, showNews, executions, isScanned, readAgain } }: { history: LiveHistory }
) {
  if (isScanned)
    return <button
      type="button" className="button button-small" onClick={readAgain}
      title={executionTexts.searchAgainTitle}
    >
      {executionTexts.searchAgain}
    </button>
  if (phase === 'still')
    return <button
      type="button" className="button button-small" onClick={readAgain}
      title={executionTexts.loadAgainTitle}
    >
      {executionTexts.loadAgain}
    </button>
  if (phase === 'following' || executions.length === 0 || (news === 0 && movedOn.size === 0)) return null
  const parts = [
    news > 0 ? executionTexts.countNew(`${news}${hasMoreNews ? '+' : ''}`) : null,
    movedOn.size > 0 ? executionTexts.countChanged(movedOn.size) : null
  ].filter(Boolean)
  return <button type="button" className="button button-small button-news" onClick={showNews}>
    {executionTexts.showNews(parts.join(', '))}
  </button>
}

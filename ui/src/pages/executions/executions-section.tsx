import { useCallback, type ReactNode } from 'react'
import { Section } from '../../components/frame/section.tsx'
import { Failed, SkeletonRows, Stale } from '../../components/frame/states.tsx'
import type { ExecutionFilter } from '../../format/executions/execution-filter.ts'
import { useAddress } from '../../hooks/use-address.ts'
import { useLiveHistory } from '../../hooks/use-live-history.ts'
import { AllThatMatch } from '../bulk/all-that-match.tsx'
import { ExportButton } from './export-button.tsx'
import { HistoryEnd, HistoryMissing, HistoryNews } from './history-ends.tsx'
import { SelectableExecutions } from './selectable-executions.tsx'
import { useNeighboursAhead } from './use-neighbours-ahead.ts'
import { executionTexts } from '../../texts/executions.ts'

interface Props {
  readonly filter: ExecutionFilter
  /** Begins a sentence: `Its executions`. */
  readonly what: string
  /** Shown if there are none. */
  readonly none: string
  readonly aside?: ReactNode
}

/** The executions on the page of a task or failure group. */
export function ExecutionsSection({ filter, what, none, aside }: Props) {
  const { href, get, go } = useAddress()
  const history = useLiveHistory(filter)
  const { settled, executions } = history
  const openId = get('execution')
  const executionHref = useCallback((id: string) => href({ execution: id }), [href])
  useNeighboursAhead(executions, openId)
  return (
    <Section
      title={executionTexts.title} className="history-section"
      aside={<span className="section-aside">
        <Stale failure={history.headFailure} updatedAt={history.headUpdatedAt} /><HistoryNews history={history} />{aside}
        <button
          type="button" className="button button-small toggle" aria-pressed={filter.order === 'oldest'}
          onClick={() => go({ order: filter.order === null ? 'oldest' : null })}
        >
          {executionTexts.oldestFirst}
        </button>
        <AllThatMatch filter={filter} />
        <ExportButton filter={filter} />
      </span>}
    >
      <HistoryMissing missing={history.missing} />
      <SelectableExecutions
        filter={filter} executions={executions} total={history.total} openId={openId} movedOn={history.movedOn} href={executionHref}
        order={filter.order} orderHref={order => href({ order })} onEnd={history.onEnd} onHold={history.hold}
      >
        {settled.data
          ? history.missing === null && <p className="muted">{none}</p>
          : settled.failure
            ? <Failed what={what} failure={settled.failure} onRetry={settled.retry} isBrief />
            : <SkeletonRows count={6} label={executionTexts.loading} />}
      </SelectableExecutions>
      <HistoryEnd filter={filter} history={history} />
    </Section>
  )
}

import { useMemo } from 'react'
import { ExecutionList } from '../components/execution-list.tsx'
import { Section } from '../components/section.tsx'
import { Failed, SkeletonRows, Stale } from '../components/states.tsx'
import { everyExecution } from '../format/execution-filter.ts'
import { useAddress } from '../hooks/use-address.ts'
import { useLiveHistory } from '../hooks/use-live-history.ts'
import { HistoryEnd, HistoryNews } from './history-ends.tsx'

/** The executions that failed with one error; the oldest first shows how it began. */
export function GroupExecutions({ errorGroup }: { errorGroup: string }) {
  const address = useAddress()
  const order = address.get('order') === 'oldest' ? 'oldest' as const : null
  const filter = useMemo(() => ({ ...everyExecution, status: 'failed' as const, errorGroup, order }), [errorGroup, order])
  const history = useLiveHistory(filter)
  const { settled, executions } = history
  return (
    <Section
      title="Executions" className="history-section"
      aside={<span className="section-aside">
        <Stale failure={history.headFailure} updatedAt={history.headUpdatedAt} /><HistoryNews history={history} />
        <button
          type="button" className="button button-small toggle" aria-pressed={order === 'oldest'}
          onClick={() => address.go({ order: order === null ? 'oldest' : null })}
        >
          Oldest first
        </button>
      </span>}
    >
      {settled.data
        ? executions.length === 0
          ? <p className="muted">None of its executions is kept.</p>
          : <ExecutionList
            executions={executions} total={history.total} openId={address.get('execution')} movedOn={history.movedOn}
            href={id => address.href({ execution: id })} onEnd={history.onEnd} onHold={history.hold}
          />
        : settled.failure
          ? <Failed what="Its executions" failure={settled.failure} onRetry={settled.retry} isBrief />
          : <SkeletonRows count={6} label="Loading executions" />}
      <HistoryEnd filter={filter} history={history} />
    </Section>
  )
}

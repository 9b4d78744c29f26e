import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { ExecutionDetail, FailureGroup } from '../../../schemas/index.ts'
import { executionQuery } from '../api/executions.ts'
import { failureGroupQuery } from '../api/failures.ts'
import { hourlyLoadQuery } from '../api/timeseries.ts'
import { CopyButton } from '../components/copy-button.tsx'
import { LongText } from '../components/long-text.tsx'
import { Moment } from '../components/moment.tsx'
import { Section } from '../components/section.tsx'
import { StackView } from '../components/stack-view.tsx'
import { Failed, SkeletonRows, Stale } from '../components/states.tsx'
import { TrendBars } from '../components/trend-bars.tsx'
import { withParameters } from '../format/address.ts'
import { isRising } from '../format/failure-groups.ts'
import { toMarkdown } from '../format/failure-report.ts'
import { formatCount, plural } from '../format/number.ts'
import { useAddress } from '../hooks/use-address.ts'
import { usePolling } from '../hooks/use-pause.ts'
import { useSettled, type Failure, type Settled } from '../hooks/use-settled.ts'
import { ExecutionPanel } from './execution-panel.tsx'
import { GroupExecutions } from './group-executions.tsx'

const POLLED_EVERY_MS = 15_000
const TASKS_SHOWN = 8

/** One cause of failures: since when, how often, where, and what its last failure looked like. */
export function FailureGroupPage({ errorGroup }: { errorGroup: string }) {
  const address = useAddress()
  const { data: group, failure, updatedAt, retry } = useSettled(useQuery({
    ...failureGroupQuery(errorGroup), ...usePolling(POLLED_EVERY_MS)
  }))
  const last = useSettled(useQuery({ ...executionQuery(group?.last_execution_id ?? ''), enabled: !!group }))
  const openId = address.get('execution')
  return (
    <>
      <div className="page-header">
        <h1 className="wrap">
          <Link href="/failures">Failures</Link> <span className="muted" aria-hidden="true">
            /
          </span> {group ? <bdi>{group.type}</bdi> : 'Failure group'}
        </h1>
        <Stale failure={failure} updatedAt={updatedAt} />
        <div className="page-tools">
          {group &&
            <CopyButton
              label="Copy as Markdown" text={() => toMarkdown({ group, last: last.data, address: location.href.replace(/#.*/, '') })}
            />}
        </div>
      </div>
      {group
        ? <Group group={group} last={last} />
        : group === null
          ? <NotFound />
          : failure
            ? <Failed what="This failure group" failure={failure} onRetry={retry} />
            : <SkeletonRows count={5} label="Loading the failure group" />}
      <GroupExecutions errorGroup={errorGroup} />
      {openId && <ExecutionPanel key={openId} executionId={openId} onClose={() => address.go({ execution: null })} />}
    </>
  )
}

function Group({ group, last }: { group: FailureGroup; last: Settled<ExecutionDetail> }) {
  const load = useQuery(hourlyLoadQuery).data ?? []
  return (
    <div className="group-page">
      <div className="error-box"><LongText text={group.message} label="Error message" /></div>
      <dl className="facts group-facts">
        <Fact name="Failures">
          {formatCount(group.count)}{isRising(group, load) &&
            <span className="tone-bad"> ↗ rising</span>}{group.is_new && <span className="tone-warn"> new</span>}
        </Fact>
        <Fact name="First seen"><Moment at={group.first_seen_at} as="both" /></Fact>
        <Fact name="Last seen"><Moment at={group.last_seen_at} as="both" /></Fact>
        <Fact name="Tasks"><Tasks group={group} /></Fact>
        {group.frame !== null && <Fact name="Where"><code className="wrap"><bdi>{group.frame}</bdi></code></Fact>}
        <Fact name="24 hours"><TrendBars counts={group.trend} label="Failures in each of the last 24 hours, oldest first" /></Fact>
      </dl>
      <Section
        title="Last failure"
        aside={<Link
          href={`/executions${withParameters('', { status: 'failed', group: group.error_group, execution: group.last_execution_id })}`}
          className="quiet-link"
        >
          Arguments, attempts and log
        </Link>}
      >
        <LastFailure execution={last.data} failure={last.failure} onRetry={last.retry} />
      </Section>
    </div>
  )
}

function LastFailure(
  { execution, failure, onRetry }: { execution: ExecutionDetail | undefined; failure: Failure | null; onRetry: () => void }
) {
  if (execution) {
    return execution.error?.stack
      ? <div className="stack"><StackView text={execution.error.stack} label="Stack of the last failure" /></div>
      : <p className="muted">No stack was recorded.</p>
  }
  if (failure?.status === 410) return <p className="muted">The execution is no longer kept: retention removed it.</p>
  return failure
    ? <Failed what="The last failure" failure={failure} onRetry={onRetry} isBrief />
    : <SkeletonRows count={4} label="Loading the last failure" />
}

function Tasks({ group: { tasks, error_group: group } }: { group: FailureGroup }) {
  const hidden = tasks.length - TASKS_SHOWN
  return (
    <>
      {tasks.slice(0, TASKS_SHOWN).map(task => (
        <span key={task.name} className="group-task">
          <Link href={`/executions${withParameters('', { status: 'failed', group, task: task.name })}`} className="wrap">
            <bdi>{task.name}</bdi>
          </Link> <span className="muted">{formatCount(task.count)}</span>
        </span>
      ))}
      {hidden > 0 && <span className="muted">and {plural(hidden, 'more task')}</span>}
    </>
  )
}

/** Groups that were not seen for long are removed; their executions may still be there. */
function NotFound() {
  return <p className="muted">No failure group has this id. <Link href="/failures?range=all">All failures</Link></p>
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return <div><dt>{name}</dt><dd>{children}</dd></div>
}

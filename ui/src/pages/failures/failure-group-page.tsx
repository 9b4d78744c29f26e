import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { executionQuery } from '../../api/executions.ts'
import { failureGroupQuery } from '../../api/failures.ts'
import { hourlyLoadQuery } from '../../api/timeseries.ts'
import { CopyButton } from '../../components/elements/copy-button.tsx'
import { GroupFacts } from '../../components/failures/group-facts.tsx'
import { LongText } from '../../components/elements/long-text.tsx'
import { RangePicker } from '../../components/stats/range-picker.tsx'
import { RangeProblem } from '../../components/stats/range-problem.tsx'
import { Failed, SkeletonRows, Stale } from '../../components/frame/states.tsx'
import { everyExecution } from '../../format/executions/execution-filter.ts'
import { currentTime } from '../../format/time/clock.ts'
import { isRising } from '../../format/failures/failure-groups.ts'
import { countedBetween } from '../../format/failures/hours-counted.ts'
import { toMarkdown } from '../../format/failures/failure-report.ts'
import { rangePhrase, type TimeRange } from '../../format/time/time-range.ts'
import { useAddress } from '../../hooks/use-address.ts'
import { usePolling } from '../../hooks/use-polling.ts'
import { useSettled } from '../../hooks/use-settled.ts'
import { useTimeRange } from '../../hooks/use-time-range.ts'
import { AllThatMatch } from '../bulk/all-that-match.tsx'
import { ExecutionPanel } from '../executions/execution-panel.tsx'
import { GroupExecutions } from './group-executions.tsx'
import { GroupLastFailure } from './group-last-failure.tsx'
import { useDeciding } from './use-deciding.tsx'
import { bulkTexts } from '../../texts/bulk.ts'
import { executionTexts } from '../../texts/executions.ts'
import { failureTexts } from '../../texts/failures.ts'
import { groupTexts } from '../../texts/failure-groups.ts'
import { timeTexts } from '../../texts/time.ts'

const POLLED_EVERY_MS = 15_000

/** One cause of failures: since when, how often, where, and its last failure. */
export function FailureGroupPage({ errorGroup }: { errorGroup: string }) {
  const address = useAddress()
  const { range, problem, parameters } = useTimeRange(null)
  const { data: group, failure, updatedAt, retry } = useSettled(useQuery({
    ...failureGroupQuery(errorGroup, range), ...usePolling(POLLED_EVERY_MS)
  }))
  const last = useSettled(useQuery({ ...executionQuery(group?.last_execution_id ?? ''), enabled: !!group }))
  const load = useQuery(hourlyLoadQuery).data ?? []
  const openId = address.get('execution')
  const { verbsOf, ask, dialog } = useDeciding()
  return (
    <>
      <div className="page-header">
        <h1 className="wrap">
          <Link href="/failures">{failureTexts.title}</Link> <span className="muted" aria-hidden="true">
            /
          </span> {group ? <bdi>{group.type}</bdi> : groupTexts.group}
        </h1>
        <Stale failure={failure} updatedAt={updatedAt} />
        <div className="page-tools">
          <RangePicker
            range={range} hasAllTime href={each => address.href(parameters(each))} onPick={each => address.go(parameters(each))}
          />
          {group && <AllThatMatch
            filter={{ ...everyExecution, status: 'failed', errorGroup, range }} only={['retry', bulkTexts.retryAll]}
          />}
          {group && verbsOf(group).map(verb =>
            <button key={verb} type="button" className="button" onClick={() => ask(group, verb)}>{groupTexts[verb].button}</button>)}
          {group &&
            <CopyButton
              label={groupTexts.copyAsMarkdown}
              text={() => toMarkdown({
                group, last: last.data, counted: countedBetween(range, currentTime()), address: location.href.replace(/#.*/, '')
              })}
            />}
        </div>
      </div>
      <RangeProblem problem={problem} />
      {group
        ? <div className="group-page">
          <div className="error-box"><LongText text={group.message} label={executionTexts.errorMessage} /></div>
          <GroupFacts group={group} isRising={isRising(group, load)} range={range} />
          <GroupLastFailure group={group} last={last} />
        </div>
        : group === null
          ? <NotFound range={range} />
          : failure
            ? <Failed what={groupTexts.theGroup} isOne failure={failure} onRetry={retry} />
            : <SkeletonRows count={5} label={groupTexts.loadingGroup} />}
      {dialog}
      <GroupExecutions errorGroup={errorGroup} range={range} />
      {openId && <ExecutionPanel key={openId} executionId={openId} onClose={() => address.go({ execution: null })} />}
    </>
  )
}

/** Groups that have not been seen for a long time are removed; their executions may still exist. */
function NotFound({ range }: { range: TimeRange | null }) {
  const { href } = useAddress()
  if (range !== null)
    return <p className="muted">
      {groupTexts.groupHasNotFailed(rangePhrase(range, currentTime()))} <Link href={href({ range: null, from: null, to: null })}>
        {timeTexts.allTime}
      </Link>
    </p>
  return <p className="muted">{groupTexts.noSuchGroup} <Link href="/failures?range=all&state=all">{failureTexts.all}</Link></p>
}

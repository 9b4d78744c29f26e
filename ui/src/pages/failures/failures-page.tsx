import { Link } from 'wouter'
import { FailureGroups } from '../../components/failures/failure-groups.tsx'
import { DataGrid } from '../../components/grid/data-grid.tsx'
import { StateFilter } from '../../components/failures/state-filter.tsx'
import { HoursNote } from '../../components/failures/hours-note.tsx'
import { Icon } from '../../components/elements/icon.tsx'
import { RangePicker } from '../../components/stats/range-picker.tsx'
import { RangeProblem } from '../../components/stats/range-problem.tsx'
import { Empty, Failed, SkeletonRows, Stale } from '../../components/frame/states.tsx'
import { withParameters } from '../../format/places/address.ts'
import { currentTime } from '../../format/time/clock.ts'
import { failureViewFrom, failureViewParameter } from '../../format/failures/failure-filter.ts'
import { addressOf, isRising } from '../../format/failures/failure-groups.ts'
import { FAILURE_SORTINGS } from '../../format/failures/failure-list.ts'
import { readSorting, sortingText } from '../../format/lists/sorting.ts'
import { formatTotal } from '../../format/stats/number.ts'
import { lastOf, rangeParameters, rangePhrase } from '../../format/time/time-range.ts'
import { useAddress } from '../../hooks/use-address.ts'
import { useTimeRange } from '../../hooks/use-time-range.ts'
import { FailureGroupPage } from './failure-group-page.tsx'
import { FailuresChart } from './failures-chart.tsx'
import { useDeciding } from './use-deciding.tsx'
import { useListedGroups } from './use-listed-groups.ts'
import { rowTexts } from '../../texts/execution-rows.ts'
import { failureTexts } from '../../texts/failures.ts'
import { groupTexts } from '../../texts/failure-groups.ts'

const LAST_DAY = lastOf('24h')

/** All failure groups, or the page of one. */
export function FailuresPage() {
  const group = useAddress().get('group')
  return group === null ? <FailureList /> : <FailureGroupPage key={group} errorGroup={group} />
}

function FailureList() {
  const address = useAddress()
  const { range, problem, parameters } = useTimeRange(LAST_DAY)
  const taskName = address.get('task')
  const view = failureViewFrom(address.get('state'))
  const { verbsOf, ask, dialog } = useDeciding()
  const sorting = readSorting(address.get('sort'), FAILURE_SORTINGS)
  const {
    shown, order, hold, load, failure, updatedAt, retry, isGrowing, isTooLong, showMore
  } = useListedGroups({ range, taskName, view }, sorting)
  return (
    <>
      <div className="page-header">
        <h1>{failureTexts.title}</h1>
        {shown &&
          <span className="muted">
            {groupTexts.listed(
              formatTotal(shown.total), shown.total.value === 1,
              order ? null : shown.isCut ? failureTexts.newestFirst : failureTexts.urgentFirst
            )}
          </span>}
        {(!shown || shown.items.length > 0) && <HoursNote range={range} />}
        <Stale failure={failure} updatedAt={updatedAt} />
        <div className="page-tools">
          {taskName !== null &&
            <button type="button" className="chip" aria-label={groupTexts.everyTask} onClick={() => address.go({ task: null })}>
              <span>{rowTexts.task} <bdi>{taskName}</bdi></span><Icon name="close" />
            </button>}
          <RangePicker
            range={range} hasAllTime href={each => address.href(parameters(each))} onPick={each => address.go(parameters(each))}
          />
          <Link
            href={`/executions${withParameters('', { status: 'failed', task: taskName, ...rangeParameters(range) })}`} className="button"
          >
            {failureTexts.failedExecutions}
          </Link>
        </div>
      </div>
      <RangeProblem problem={problem} />
      <FailuresChart range={range} taskName={taskName} />
      {/* Shown together with the rows, so that content that appears above does not push it down. */}
      {(shown || failure) && <StateFilter current={view} href={each => address.href({ state: failureViewParameter(each) })} />}
      {isTooLong && <p className="alert" role="status">{groupTexts.tooMany(shown!.items.length)}</p>}
      {dialog}
      {shown
        ? shown.items.length === 0 && !shown.isCut
          ? <Empty title={groupTexts.noneOf[view](rangePhrase(range, currentTime()))}>
            <p>{groupTexts.appearAsGroups}</p>
          </Empty>
          : <>
            <div {...hold}>
              <FailureGroups
                Grid={DataGrid} sorting={order} sortHref={next => address.href({ sort: sortingText(next) })}
                groups={shown.items} isRising={group => isRising(group, load)} href={addressOf}
                action={group => verbsOf(group).slice(0, 1).map(verb =>
                  <button key={verb} type="button" className="button button-small" onClick={() => ask(group, verb)}>
                    {groupTexts[verb].button}
                  </button>)}
              />
            </div>
            {shown.isCut && !sorting &&
              <button type="button" className="button more-button" disabled={isGrowing} onClick={showMore}>
                {isGrowing ? groupTexts.loadingMore : groupTexts.showMoreThan(shown.items.length)}
              </button>}
          </>
        : failure
          ? <Failed what={failureTexts.title} failure={failure} onRetry={retry} />
          : <SkeletonRows count={8} label={groupTexts.loading} />}
    </>
  )
}

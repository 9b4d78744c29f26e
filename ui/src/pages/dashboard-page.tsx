import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { Link } from 'wouter'
import { executionHeadQuery } from '../api/executions.ts'
import { healthQuery } from '../api/health.ts'
import { upcomingQuery } from '../api/schedules.ts'
import { statsQuery } from '../api/stats.ts'
import { FailureGroups } from '../components/failure-groups.tsx'
import { FailureTable } from '../components/failure-table.tsx'
import { Section } from '../components/section.tsx'
import { Empty, Failed, SkeletonRows, Stale } from '../components/states.tsx'
import { StatsFigures } from '../components/stats-figures.tsx'
import { UpcomingList } from '../components/upcoming-list.tsx'
import { withParameters } from '../format/address.ts'
import { currentTime } from '../format/clock.ts'
import { everyExecution } from '../format/execution-filter.ts'
import { addressOf, byUrgency, isRising } from '../format/failure-groups.ts'
import { plural } from '../format/number.ts'
import { formatClock } from '../format/time.ts'
import { usePolling } from '../hooks/use-pause.ts'
import { useSettled } from '../hooks/use-settled.ts'
import { useStill } from '../hooks/use-still.ts'
import { DashboardCharts } from './dashboard-charts.tsx'
import { DashboardVerdict } from './dashboard-verdict.tsx'
import { useFailureGroups } from './use-failure-groups.ts'

const FAILURES_SHOWN = 8
const UPCOMING_SHOWN = 8
const GROUPS_SHOWN = 6

export function DashboardPage() {
  const stats = useSettled(useQuery({ ...statsQuery, ...usePolling(2_000) }))
  const health = useSettled(useQuery({ ...healthQuery, ...usePolling(4_000) }))
  return (
    <>
      <DashboardVerdict stats={stats} health={health} />
      {stats.data
        ? <StatsFigures stats={stats.data} isStale={stats.failure !== null} />
        : stats.failure ? <Failed what="The statistics" failure={stats.failure} isBrief /> : <StatsFigures stats={null} isStale={false} />}
      <DashboardCharts />
      <div className="columns">
        <div>
          <Groups />
          <RecentFailures />
        </div>
        <UpcomingSchedules />
      </div>
    </>
  )
}

function Groups() {
  const { groups: { data: newest, failure, updatedAt }, load: { data: load = [] } } = useFailureGroups()
  const [isWhole, setWhole] = useState(false)
  const { shown: data, hold } = useStill(useMemo(
    () => newest && { ...newest, items: newest.items.toSorted(byUrgency(load, currentTime())) }, [newest, load]
  ))
  const shown = data?.items.slice(0, isWhole ? undefined : GROUPS_SHOWN) ?? []
  const oldestSeen = Math.min(...data?.items.map(group => Date.parse(group.last_seen_at)) ?? [])
  const [hidden, unasked] = data ? [data.items.length - shown.length, data.total.value - data.items.length] : [0, 0]
  return (
    <Section
      title="Failure groups"
      aside={<span className="section-aside">
        <Stale failure={failure} updatedAt={updatedAt} />new and rising ones first<Link href="/failures" className="quiet-link">
          All failures
        </Link>
      </span>}
    >
      {data
        ? data.items.length === 0
          ? <p className="muted">Nothing has failed in the last 24 hours.</p>
          : <div {...hold}>
            <FailureGroups groups={shown} isRising={group => isRising(group, load)} href={addressOf} />
            {hidden > 0 &&
              <button type="button" className="button more-button" onClick={() => setWhole(true)}>
                Show {plural(hidden, 'more group')}
              </button>}
            {hidden === 0 && unasked > 0 &&
              <p className="end muted">
                and {plural(unasked, 'group')}{data.total.relation === 'at_least' &&
                  ' or more'}, last seen before {formatClock(oldestSeen, currentTime())}: <Link href="/failures">
                    all failures of the last 24 hours
                </Link>
              </p>}
          </div>
        : failure ? <Failed what="Failure groups" failure={failure} isBrief /> : <SkeletonRows count={3} label="Loading failure groups" />}
    </Section>
  )
}

function RecentFailures() {
  const { data: newest, failure, updatedAt } = useSettled(useQuery({
    ...executionHeadQuery({ ...everyExecution, status: 'failed' }, FAILURES_SHOWN), ...usePolling(3_000)
  }))
  const { shown: data, hold } = useStill(newest)
  const aside = <span className="section-aside">
    <Stale failure={failure} updatedAt={updatedAt} />
    <Link href="/executions?status=failed" className="quiet-link">All failed executions</Link>
  </span>
  return (
    <Section title="Recent failed executions" aside={aside}>
      {data
        ? data.items.length === 0
          ? <Empty title="No execution has failed"><p>When one fails for good it appears here, with its error.</p></Empty>
          : <div {...hold}>
            <FailureTable executions={data.items} href={id => `/executions${withParameters('', { status: 'failed', execution: id })}`} />
          </div>
        : failure
          ? <Failed what="Failed executions" failure={failure} isBrief />
          : <SkeletonRows count={FAILURES_SHOWN} label="Loading failed executions" />}
    </Section>
  )
}

function UpcomingSchedules() {
  const { data, failure, updatedAt } = useSettled(useQuery({ ...upcomingQuery(UPCOMING_SHOWN), ...usePolling(5_000) }))
  const aside = <span className="section-aside">
    <Stale failure={failure} updatedAt={updatedAt} /><Link href="/schedules" className="quiet-link">All schedules</Link>
  </span>
  const { shown: upcoming, hold } = useStill(data?.schedules)
  return (
    <Section title="Upcoming schedules" aside={aside}>
      {upcoming
        ? upcoming.length === 0
          ? <Empty title="Nothing is scheduled">
            <p>Enabled schedules appear here in the order of their next run. <Link href="/schedules?new=1">Compose a new schedule</Link></p>
          </Empty>
          : <div {...hold}><UpcomingList schedules={upcoming} href={id => `/schedules${withParameters('', { schedule: id })}`} /></div>
        : failure
          ? <Failed what="Schedules" failure={failure} isBrief />
          : <SkeletonRows count={UPCOMING_SHOWN} label="Loading schedules" />}
    </Section>
  )
}

import { useQuery } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
import { Link } from 'wouter'
import type { Health, Stats } from '../../../schemas/index.ts'
import { executionHeadQuery } from '../api/executions.ts'
import { failureGroupsQuery } from '../api/failures.ts'
import { healthQuery } from '../api/health.ts'
import { upcomingQuery } from '../api/schedules.ts'
import { statsQuery } from '../api/stats.ts'
import { hourlyLoadQuery, timeseriesQuery } from '../api/timeseries.ts'
import { FailureGroups } from '../components/failure-groups.tsx'
import { FailureTable } from '../components/failure-table.tsx'
import { Section } from '../components/section.tsx'
import { Empty, Failed, SkeletonRows, Stale } from '../components/states.tsx'
import { StatsFigures } from '../components/stats-figures.tsx'
import { UpcomingList } from '../components/upcoming-list.tsx'
import { VerdictLine } from '../components/verdict-line.tsx'
import { HealthLine } from '../components/health-line.tsx'
import { withParameters } from '../format/address.ts'
import { currentTime } from '../format/clock.ts'
import { everyExecution } from '../format/execution-filter.ts'
import { addressOf, byUrgency, isRising, toLookAt } from '../format/failure-groups.ts'
import { plural } from '../format/number.ts'
import { toOutage } from '../format/outage.ts'
import { formatClock } from '../format/time.ts'
import { summarize, type SeriesSummary } from '../format/timeseries.ts'
import { toVerdict, type LastHour, type Since } from '../format/verdict.ts'
import { useNow } from '../hooks/use-now.ts'
import { usePausedSince, usePolling } from '../hooks/use-pause.ts'
import { toSeen, useSettled, type Settled } from '../hooks/use-settled.ts'
import { useStill } from '../hooks/use-still.ts'
import { DashboardCharts } from './dashboard-charts.tsx'

const FAILURES_SHOWN = 8
const UPCOMING_SHOWN = 8
const GROUPS_SHOWN = 6
const LOAD_POLLED_EVERY_MS = 60_000

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

function DashboardVerdict({ stats, health }: { stats: Settled<Stats>; health: Settled<Health> }) {
  const now = useNow()
  const lastHour = useSettled(useQuery({ ...timeseriesQuery('1h'), ...usePolling(10_000) }))
  const { groups, load } = useGroups()
  // While the newest report is missing, what the one before it said of the stores is not news.
  const report = health.failure === null ? health.data : undefined
  const unhealthySince = useOutageSince(report)
  const failure = [health.failure, stats.failure].find((each) => each && each.status !== 403) ?? null
  const verdict = toVerdict({
    health: report, stats: stats.data, failure, unhealthySince, pausedSince: usePausedSince(), now,
    lastHour: toSeen(lastHour, (series) => toLastHour(summarize(series)), 'What finished in the last hour has not been counted yet.'),
    groups: toSeen(withLoad(groups, load), (listing) => load.data || load.failure?.status === 403 ? toLookAt(listing, load.data ?? [], now) : null),
    forbidden: [...(health.failure?.status === 403 ? ['health' as const] : []), ...(stats.failure?.status === 403 ? ['statistics' as const] : [])],
    figuresFrom: stats.data ? Date.parse(stats.data.generated_at) : null,
    answeredAt: stats.data && health.data ? Math.min(stats.updatedAt, health.updatedAt) : null
  })
  return (
    <>
      <VerdictLine verdict={verdict} />
      {(health.data || !failure) && <HealthLine health={health.data} failure={health.failure} updatedAt={health.updatedAt} />}
    </>
  )
}

/** null when nothing is known of it. */
function toLastHour({ success, failed, isUnknown }: SeriesSummary): LastHour | null {
  return isUnknown ? null : { finished: success + failed, failed }
}

/** The groups, and what their trends are measured against. */
function useGroups() {
  const groups = useSettled(useQuery({ ...failureGroupsQuery, ...usePolling(10_000) }))
  const load = useSettled(useQuery({ ...hourlyLoadQuery, ...usePolling(LOAD_POLLED_EVERY_MS) }))
  return { groups, load }
}

/** Who may not see how much finished is told of the new groups; who may, and could not load it, is told why. */
function withLoad<T>(groups: Settled<T>, load: Settled<unknown>): Settled<T> {
  const failure = groups.failure ?? (load.data === undefined && load.failure?.status !== 403 ? load.failure : null)
  return { ...groups, failure, updatedAt: load.data === undefined ? groups.updatedAt : Math.min(groups.updatedAt, load.updatedAt + LOAD_POLLED_EVERY_MS) }
}

/** Exact only if it was seen well before: a page opened during an outage does not know when that began. Another outage has another beginning. */
function useOutageSince(health: Health | undefined): Since | null {
  const since = useRef<Since | null>(null)
  const last = useRef<string | null>(null)
  const wasWell = useRef(false)
  if (health) {
    const outage = toOutage(health)?.headline ?? null
    if (outage !== last.current) since.current = outage === null ? null : { at: Date.parse(health.timestamp), isExact: wasWell.current }
    last.current = outage
    wasWell.current ||= outage === null
  }
  return since.current
}

function Groups() {
  const { groups: { data: newest, failure, updatedAt }, load: { data: load = [] } } = useGroups()
  const [isWhole, setWhole] = useState(false)
  const { shown: data, hold } = useStill(useMemo(() => newest && { ...newest, items: newest.items.toSorted(byUrgency(load, currentTime())) }, [newest, load]))
  const shown = data?.items.slice(0, isWhole ? undefined : GROUPS_SHOWN) ?? []
  const oldestSeen = Math.min(...data?.items.map((group) => Date.parse(group.last_seen_at)) ?? [])
  const [hidden, unasked] = data ? [data.items.length - shown.length, data.total.value - data.items.length] : [0, 0]
  return (
    <Section title="Failure groups" aside={<span className="section-aside"><Stale failure={failure} updatedAt={updatedAt} />new and rising ones first</span>}>
      {data
        ? data.items.length === 0
          ? <p className="muted">Nothing has failed in the last 24 hours.</p>
          : <div {...hold}>
            <FailureGroups groups={shown} isRising={(group) => isRising(group, load)} href={addressOf} />
            {hidden > 0 && <button type="button" className="button more-button" onClick={() => setWhole(true)}>Show {plural(hidden, 'more group')}</button>}
            {hidden === 0 && unasked > 0 && <p className="end muted">and {plural(unasked, 'group')}{data.total.relation === 'at_least' && ' or more'}, last seen before {formatClock(oldestSeen, currentTime())}: <Link href="/tasks?status=failed&range=24h">all failures of the last 24 hours</Link></p>}
          </div>
        : failure ? <Failed what="Failure groups" failure={failure} isBrief /> : <SkeletonRows count={3} label="Loading failure groups" />}
    </Section>
  )
}

function RecentFailures() {
  const { data: newest, failure, updatedAt } = useSettled(useQuery({ ...executionHeadQuery({ ...everyExecution, status: 'failed' }, FAILURES_SHOWN), ...usePolling(3_000) }))
  const { shown: data, hold } = useStill(newest)
  const aside = <span className="section-aside"><Stale failure={failure} updatedAt={updatedAt} /><Link href="/tasks?status=failed" className="quiet-link">All failed executions</Link></span>
  return (
    <Section title="Recent failed executions" aside={aside}>
      {data
        ? data.items.length === 0
          ? <Empty title="No execution has failed"><p>When one fails for good it appears here, with its error.</p></Empty>
          : <div {...hold}><FailureTable executions={data.items} href={(id) => `/tasks${withParameters('', { status: 'failed', execution: id })}`} /></div>
        : failure ? <Failed what="Failed executions" failure={failure} isBrief /> : <SkeletonRows count={FAILURES_SHOWN} label="Loading failed executions" />}
    </Section>
  )
}

function UpcomingSchedules() {
  const { data, failure, updatedAt } = useSettled(useQuery({ ...upcomingQuery(UPCOMING_SHOWN), ...usePolling(5_000) }))
  const aside = <span className="section-aside"><Stale failure={failure} updatedAt={updatedAt} /><Link href="/schedules" className="quiet-link">All schedules</Link></span>
  const { shown: upcoming, hold } = useStill(data?.schedules)
  return (
    <Section title="Upcoming schedules" aside={aside}>
      {upcoming
        ? upcoming.length === 0
          ? <Empty title="Nothing is scheduled"><p>Enabled schedules appear here in the order of their next run. <Link href="/schedules?new=1">Compose a new schedule</Link></p></Empty>
          : <div {...hold}><UpcomingList schedules={upcoming} href={(id) => `/schedules${withParameters('', { schedule: id })}`} /></div>
        : failure ? <Failed what="Schedules" failure={failure} isBrief /> : <SkeletonRows count={UPCOMING_SHOWN} label="Loading schedules" />}
    </Section>
  )
}

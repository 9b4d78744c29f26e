import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Health, Stats, Timeseries } from '../../../../schemas/index.ts'
import { queuesQuery } from '../../api/workers.ts'
import { HealthLine } from '../../components/frame/health-line.tsx'
import { VerdictLine } from '../../components/stats/verdict-line.tsx'
import { failingSpan } from '../../format/failures/failing-span.ts'
import { toLookAt } from '../../format/failures/failure-groups.ts'
import { createBeginnings } from '../../format/health/beginnings.ts'
import { toOutage } from '../../format/health/store-outage.ts'
import { isAnythingWaiting, toQueuesToLookAt } from '../../format/health/queues-to-look-at.ts'
import { lastOf } from '../../format/time/time-range.ts'
import { summarize } from '../../format/stats/timeseries.ts'
import { FAILING_FROM_PERCENT, toVerdict, type LastHour } from '../../format/health/verdict.ts'
import { useNow } from '../../hooks/use-now.ts'
import { usePausedSince, usePolling } from '../../hooks/use-polling.ts'
import { toSeen, useSettled, type Settled } from '../../hooks/use-settled.ts'
import { LOAD_POLLED_EVERY_MS, useFailureGroups } from '../failures/use-failure-groups.ts'
import { useAllowed } from '../use-allowed.ts'
import { useRangeSeries } from '../use-range-series.ts'
import { statsTexts } from '../../texts/stats.ts'

/** Also the interval while no one touches the page, because someone else may pause a queue in the meantime. */
const QUEUES_POLLED_EVERY_MS = 15_000
/** The interval while something waits, because its task may have no worker. */
const WAITING_POLLED_EVERY_MS = 5_000
const LAST_HOUR = lastOf('1h')!

/** The line that says whether everything works, and the health of each part below it. */
export function DashboardVerdict({ stats, health }: { stats: Settled<Stats>; health: Settled<Health> }) {
  const now = useNow()
  const lastHour = useRangeSeries(LAST_HOUR)
  const { groups, load } = useFailureGroups()
  const { may, isKnown } = useAllowed()
  const mayViewQueues = may('queues:view')
  const isWaiting = isAnythingWaiting(stats.data)
  const queuesPolling = usePolling(isWaiting ? WAITING_POLLED_EVERY_MS : QUEUES_POLLED_EVERY_MS)
  const queues = useSettled(useQuery({ ...queuesQuery, ...queuesPolling, enabled: mayViewQueues }))
  const mayLook = isWaiting && mayViewQueues
  const { retry: lookAgain } = queues
  // The first request does not wait for the end of the longer interval.
  useEffect(() => { if (mayLook) lookAgain() }, [mayLook])
  // While the newest report is missing, the state of the stores in the previous report is out of date.
  const report = health.failure === null ? health.data : undefined
  const unhealthySince = report ? outageSince(report) : null
  const failure = [health.failure, stats.failure].find(each => each && each.status !== 403) ?? null
  const verdict = toVerdict({
    health: report, stats: stats.data, failure, unhealthySince, pausedSince: usePausedSince(), now,
    lastHour: toSeen(lastHour, toLastHour, statsTexts.notCountedYet),
    groups: toSeen(withLoad(groups, load), listing =>
      load.data || load.failure?.status === 403 ? toLookAt(listing, load.data ?? [], now) : null),
    forbidden: [
      ...(health.failure?.status === 403 ? ['health' as const] : []), ...(stats.failure?.status === 403 ? ['statistics' as const] : [])
    ],
    queues: isKnown && !mayViewQueues ? { state: 'forbidden' } : toSeen(queues, toQueuesToLookAt),
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

/** Null if nothing is known about the last hour. */
function toLastHour(series: Timeseries): LastHour | null {
  const { success, failed, isUnknown } = summarize(series)
  return isUnknown ? null : { finished: success + failed, failed, failing: failingSpan(series.points, FAILING_FROM_PERCENT) }
}

/** Readers without access to the statistics still see the new groups. Other readers see why the load could not be loaded. */
function withLoad<T>(groups: Settled<T>, load: Settled<unknown>): Settled<T> {
  const failure = groups.failure ?? (load.data === undefined && load.failure?.status !== 403 ? load.failure : null)
  return {
    ...groups, failure,
    updatedAt: load.data === undefined ? groups.updatedAt : Math.min(groups.updatedAt, load.updatedAt + LOAD_POLLED_EVERY_MS)
  }
}

const beginnings = createBeginnings()
let lastReport: { readonly outage: string | null; readonly at: number } | null = null

/** When the current outage began. It is remembered even if the reader leaves this page and returns. */
function outageSince(health: Health): number | null {
  const [outage, at] = [toOutage(health)?.headline ?? null, Date.parse(health.timestamp)]
  const otherwiseAt = lastReport === null || lastReport.outage === outage ? null : lastReport.at
  if (lastReport?.outage && lastReport.outage !== outage) beginnings.end(lastReport.outage)
  lastReport = { outage, at }
  return outage === null ? null : beginnings.since(outage, at, otherwiseAt)
}

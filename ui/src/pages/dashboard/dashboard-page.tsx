import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { healthQuery } from '../../api/health.ts'
import { sessionQuery } from '../../api/session.ts'
import { statsQuery } from '../../api/stats.ts'
import { FirstRun } from '../../components/frame/first-run.tsx'
import { RangePicker } from '../../components/stats/range-picker.tsx'
import { RangeProblem } from '../../components/stats/range-problem.tsx'
import { Failed, Stale } from '../../components/frame/states.tsx'
import { StatsFigures } from '../../components/stats/stats-figures.tsx'
import { withParameters } from '../../format/places/address.ts'
import { currentTime } from '../../format/time/clock.ts'
import { firstRunSteps } from '../../format/places/first-run.ts'
import { beforeWords } from '../../format/stats/period.ts'
import { lastOf, rangeParameters } from '../../format/time/time-range.ts'
import { useAddress } from '../../hooks/use-address.ts'
import { usePolling } from '../../hooks/use-polling.ts'
import { useSettled } from '../../hooks/use-settled.ts'
import { useTimeRange } from '../../hooks/use-time-range.ts'
import { SeriesSection } from '../series-section.tsx'
import { DashboardFailures } from './dashboard-failures.tsx'
import { DashboardGroups } from './dashboard-groups.tsx'
import { DashboardUpcoming } from './dashboard-upcoming.tsx'
import { DashboardVerdict } from './dashboard-verdict.tsx'
import { usePeriod, useRangeSeries } from '../use-range-series.ts'
import { statsTexts } from '../../texts/stats.ts'

const LAST_HOUR = lastOf('1h')!

export function DashboardPage() {
  const address = useAddress()
  const asked = useTimeRange(LAST_HOUR)
  // A chart cannot show all time.
  const range = asked.range ?? LAST_HOUR
  const stats = useSettled(useQuery({ ...statsQuery, ...usePolling(2_000) }))
  const health = useSettled(useQuery({ ...healthQuery, ...usePolling(4_000) }))
  const session = useQuery(sessionQuery).data
  const series = useRangeSeries(range)
  const period = usePeriod(range, series.data)
  const { parameters } = asked
  const steps = stats.data ? firstRunSteps(stats.data) : null
  const onBrush = useCallback(
    (from: number, to: number) => address.go(parameters({ kind: 'between', from, to: to > currentTime() ? null : to })),
    [address, parameters]
  )
  return (
    <>
      <DashboardVerdict stats={stats} health={health} />
      {session?.history_ends && <p className="muted">{statsTexts.historyEnds}</p>}
      <div className="page-range">
        <RangePicker range={range} href={each => address.href(parameters(each))} onPick={each => address.go(parameters(each))} />
        {stats.data && <Stale failure={stats.failure} updatedAt={Date.parse(stats.data.generated_at)} />}
      </div>
      <RangeProblem problem={asked.problem} />
      {stats.failure && !stats.data
        ? <Failed what={statsTexts.theStatistics} failure={stats.failure} isBrief />
        : <StatsFigures
          stats={stats.data ?? null} isStale={stats.failure !== null} period={period} than={beforeWords(range, currentTime())}
          periodMissing={series.isTooFar ? statsTexts.tooFarBack : series.failure?.message ?? null}
          executionsHref={status => `/executions${withParameters('', { status, ...rangeParameters(range) })}`}
        />}
      {steps === null && <SeriesSection series={series} range={range} onBrush={onBrush} />}
      <div className="columns">
        <div>
          {steps === null ? <><DashboardGroups range={range} /><DashboardFailures range={range} /></> : <FirstRun steps={steps} />}
        </div>
        <DashboardUpcoming />
      </div>
    </>
  )
}

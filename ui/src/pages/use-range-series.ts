import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Timeseries } from '../../../schemas/index.ts'
import { timeseriesQuery } from '../api/timeseries.ts'
import { currentTime } from '../format/time/clock.ts'
import { toPeriod, type Period } from '../format/stats/period.ts'
import { cutBefore, cutSeries, planBefore, planSeries, type SeriesPlan } from '../format/stats/series-plan.ts'
import { lastOf, type TimeRange } from '../format/time/time-range.ts'
import { useMinute } from '../hooks/use-now.ts'
import { usePolling } from '../hooks/use-polling.ts'
import { useSettled, type Settled } from '../hooks/use-settled.ts'
import { useSlowly } from '../hooks/use-slowly.ts'
import { MINUTE_MS } from '../format/time/units.ts'

const POLLED_EVERY_MS = 10_000
const BEFORE_POLLED_EVERY_MS = 5 * MINUTE_MS
const BEFORE_ASKED_AFTER_MS = 1_000
/** For hooks, which need a query even when it is disabled. */
const ANY_PLAN: SeriesPlan = planSeries(lastOf('1h')!, 0)!

export interface RangeSeries extends Settled<Timeseries> {
  /** The API does not reach that far back. */
  readonly isTooFar: boolean
}

/** Finished executions in a range, for each span. */
export function useRangeSeries(range: TimeRange, taskName: string | null = null): RangeSeries {
  // The further back a range is, the more is requested from the API; while the request stays the same, nothing is refetched.
  const minute = useMinute()
  const plan = useMemo(() => planSeries(range, currentTime(), taskName !== null), [range, taskName, minute])
  const settled = useSettled(useQuery({
    ...timeseriesQuery(plan ?? ANY_PLAN, taskName), ...usePolling(POLLED_EVERY_MS), enabled: plan !== null
  }))
  const data = useMemo(() => settled.data && cutSeries(settled.data, range), [settled.data, range])
  return { ...settled, data: plan ? data : undefined, isTooFar: plan === null }
}

/** The figures of a range beside those of the span before; null until there are any. */
export function usePeriod(range: TimeRange, series: Timeseries | undefined): Period | null {
  const minute = useMinute()
  const plan = useMemo(() => planBefore(range, currentTime()), [range, minute])
  // Requested after the figures that the reader came for.
  const isTurn = useSlowly(series !== undefined, BEFORE_ASKED_AFTER_MS, false)
  const { data } = useQuery({
    ...timeseriesQuery(plan ?? ANY_PLAN), ...usePolling(BEFORE_POLLED_EVERY_MS), enabled: plan !== null && isTurn
  })
  return useMemo(() => {
    if (!series) return null
    const now = currentTime()
    return toPeriod(series, plan && data ? { points: cutBefore(data, range, now), stepMs: data.step_ms } : null, now)
  }, [series, data, plan, range])
}

import { useCallback } from 'react'
import { currentTime } from '../../format/time/clock.ts'
import { lastOf, type TimeRange } from '../../format/time/time-range.ts'
import { useAddress } from '../../hooks/use-address.ts'
import { useTimeRange } from '../../hooks/use-time-range.ts'
import { SeriesSection } from '../series-section.tsx'
import { useRangeSeries } from '../use-range-series.ts'

/** The API reaches a year back. */
const LAST_YEAR = lastOf('1y')!

/** Failures over time, of one task or of all. */
export function FailuresChart({ range, taskName }: { range: TimeRange | null; taskName: string | null }) {
  const { go } = useAddress()
  const { parameters } = useTimeRange(null)
  const drawn = range ?? LAST_YEAR
  const series = useRangeSeries(drawn, taskName)
  const onBrush = useCallback(
    (from: number, to: number) => go(parameters({ kind: 'between', from, to: to > currentTime() ? null : to })), [go, parameters]
  )
  return <SeriesSection series={series} range={drawn} isFailuresOnly onBrush={onBrush} />
}

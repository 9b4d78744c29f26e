import { useCallback } from 'react'
import { Section } from '../../components/frame/section.tsx'
import { SeriesCharts } from '../../components/stats/series-charts.tsx'
import { Failed, SkeletonRows, Stale } from '../../components/frame/states.tsx'
import { summedWords } from '../../format/stats/series-plan.ts'
import { currentTime } from '../../format/time/clock.ts'
import { lastOf, type TimeRange } from '../../format/time/time-range.ts'
import { useAddress } from '../../hooks/use-address.ts'
import { useTimeRange } from '../../hooks/use-time-range.ts'
import { useRangeSeries } from '../use-range-series.ts'
import { statsTexts } from '../../texts/stats.ts'

/** The API reaches a year back. */
const LAST_YEAR = lastOf('1y')!

/** When it failed, of one task or of all. */
export function FailuresChart({ range, taskName }: { range: TimeRange | null; taskName: string | null }) {
  const { go } = useAddress()
  const { parameters } = useTimeRange(null)
  const drawn = range ?? LAST_YEAR
  const { data, failure, updatedAt, isTooFar } = useRangeSeries(drawn, taskName)
  const onBrush = useCallback(
    (from: number, to: number) => go(parameters({ kind: 'between', from, to: to > currentTime() ? null : to })), [go, parameters]
  )
  return (
    <Section
      title={statsTexts.overTime} className="charts-section charts-section-one"
      aside={<span className="section-aside"><Stale failure={failure} updatedAt={updatedAt} /></span>}
    >
      {data
        ? <SeriesCharts series={data} words={summedWords(drawn, data, currentTime())} isFailuresOnly onBrush={onBrush} />
        : isTooFar
          ? <p className="muted">{statsTexts.tooFarBack}</p>
          : failure
            ? <Failed what={statsTexts.theSeries} failure={failure} isBrief />
            : <SkeletonRows count={4} label={statsTexts.loadingSeries} />}
    </Section>
  )
}

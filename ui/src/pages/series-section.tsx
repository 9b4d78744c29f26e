import { Section } from '../components/frame/section.tsx'
import { SeriesCharts } from '../components/stats/series-charts.tsx'
import { Failed, SkeletonRows, Stale } from '../components/frame/states.tsx'
import { summedWords } from '../format/stats/series-plan.ts'
import { currentTime } from '../format/time/clock.ts'
import type { TimeRange } from '../format/time/time-range.ts'
import { statsTexts } from '../texts/stats.ts'
import type { RangeSeries } from './use-range-series.ts'

interface Props {
  readonly series: RangeSeries
  readonly range: TimeRange
  readonly isFailuresOnly?: boolean
  readonly onBrush: (from: number, to: number) => void
}

/** Finished executions over time, as charts and as a table. */
export function SeriesSection({ series: { data, failure, updatedAt, isTooFar }, range, isFailuresOnly = false, onBrush }: Props) {
  return (
    <Section
      title={statsTexts.overTime} className={isFailuresOnly ? 'charts-section charts-section-one' : 'charts-section'}
      aside={<span className="section-aside"><Stale failure={failure} updatedAt={updatedAt} /></span>}
    >
      {data
        ? <SeriesCharts series={data} words={summedWords(range, data, currentTime())} isFailuresOnly={isFailuresOnly} onBrush={onBrush} />
        : isTooFar
          ? <p className="muted">{statsTexts.tooFarBack}</p>
          : failure
            ? <Failed what={statsTexts.theSeries} failure={failure} isBrief />
            : <SkeletonRows count={4} label={statsTexts.loadingSeries} />}
    </Section>
  )
}

import type { Timeseries } from '../../../../schemas/index.ts'
import { Section } from '../../components/frame/section.tsx'
import { SeriesCharts } from '../../components/stats/series-charts.tsx'
import { Failed, SkeletonRows, Stale } from '../../components/frame/states.tsx'
import { currentTime } from '../../format/time/clock.ts'
import { rangeWords, type TimeRange } from '../../format/time/time-range.ts'
import type { Settled } from '../../hooks/use-settled.ts'
import { statsTexts } from '../../texts/stats.ts'

interface Props {
  readonly series: Settled<Timeseries>
  readonly range: TimeRange
  readonly onBrush: (from: number, to: number) => void
}

export function DashboardCharts({ series: { data, failure, updatedAt }, range, onBrush }: Props) {
  const aside = <span className="section-aside"><Stale failure={failure} updatedAt={updatedAt} /></span>
  return (
    <Section title={statsTexts.overTime} aside={aside} className="charts-section">
      {data
        ? <SeriesCharts series={data} words={rangeWords(range, currentTime())} onBrush={onBrush} />
        : failure
          ? <Failed what={statsTexts.theSeries} failure={failure} isBrief />
          : <SkeletonRows count={4} label={statsTexts.loadingSeries} />}
    </Section>
  )
}

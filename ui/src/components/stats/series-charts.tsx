import { useCallback, useMemo, useState } from 'react'
import type { Timeseries } from '../../../../schemas/index.ts'
import { currentTime } from '../../format/time/clock.ts'
import { formatDuration } from '../../format/time/duration.ts'
import { formatPace } from '../../format/stats/number.ts'
import { lowerFirst } from '../../format/letter-case.ts'
import { formatClock, isInUtc } from '../../format/time/time.ts'
import { gapWords, summarize, toChartColumns } from '../../format/stats/timeseries.ts'
import { useLoaded } from '../../hooks/use-loaded.ts'
import { useMedia } from '../../hooks/use-media.ts'
import { useTheme } from '../../hooks/use-theme.ts'
import { Key, PointWords } from './series-words.tsx'
import { SeriesTable } from './series-table.tsx'
import type { TimeChartProps } from './time-chart.tsx'
import { statsTexts } from '../../texts/stats.ts'

const loadTimeChart = async () => (await import('./time-chart.tsx')).TimeChart

interface Props {
  readonly series: Timeseries
  /** The range in words, for the start of a sentence. */
  readonly words: string
  /** Leaves out the durations and the successes, which would dwarf the failures. */
  readonly isFailuresOnly?: boolean
  /** Milliseconds since the epoch: the spans that were brushed over. */
  readonly onBrush: (from: number, to: number) => void
}

/** Throughput and duration over time, with one cursor for both. A part that is brushed over becomes the range of the page. */
export function SeriesCharts({ series, words, isFailuresOnly = false, onBrush }: Props) {
  const [index, setIndex] = useState<number | null>(null)
  const isDark = useMedia('(prefers-color-scheme: dark)')
  const redrawKey = `${useTheme().theme} ${isDark} ${isInUtc()}`
  const columns = useMemo(() => toChartColumns(series.points), [series])
  const [throughput, durations] = useMemo(() => [
    [
      { name: statsTexts.success, token: 'chart-success', values: columns.finished },
      { name: statsTexts.failed, token: 'chart-failed', values: columns.failed }
    ],
    [
      { name: 'p50', token: 'accent', values: columns.p50 }, { name: 'p95', token: 'warn', values: columns.p95, dash: [6, 3] },
      { name: 'p99', token: 'bad', values: columns.p99, dash: [2, 3] }
    ]
  ], [columns])
  const summary = summarize(series)
  const onCursor = useCallback((next: number | null) => setIndex(next), [])
  const onSelect = useCallback((from: number, to: number) => onBrush(from * 1000, to * 1000), [onBrush])
  const shared = { at: columns.at, openFrom: columns.openFrom, redrawKey, group: 'page', onCursor, onSelect }
  const point = index === null ? undefined : series.points[index]
  if (summary.isUnknown) return <p className="muted">{statsTexts.noData(gapWords(summary.gap))}</p>
  return (
    <>
      <p className="charts-readout">
        {point ? <PointWords point={point} stepMs={series.step_ms} /> : <>
          <b>{words}</b>
          <span>{statsTexts.countSucceeded(summary.success)}</span><span>{statsTexts.countFailed(summary.failed)}</span>
          {summary.knownSince !== null &&
            <span className="muted">
              {statsTexts.knownSince(formatClock(Date.parse(summary.knownSince), currentTime()), gapWords(summary.gap))}
            </span>}
        </>}
      </p>
      <div className={`charts ${isFailuresOnly ? 'charts-one' : ''}`}>
        <figure>
          <figcaption>
            {isFailuresOnly
              ? statsTexts.failedAMinute
              : <>
                {statsTexts.finishedAMinute} <Key token="chart-success" name={statsTexts.keySuccess} />
                <Key token="chart-failed" name={statsTexts.keyFailed} /> <span className="muted">{statsTexts.withoutCancelled}</span>
              </>}
            {columns.openFrom !== null && <span className="muted"> {statsTexts.lastNotOver}</span>}
          </figcaption>
          <Drawing
            {...shared} kind="bars" series={isFailuresOnly ? throughput.slice(1) : throughput} formatValue={formatPace}
            label={statsTexts.throughputLabel(lowerFirst(words), summary.success, summary.failed)}
          />
        </figure>
        {!isFailuresOnly && (
          <figure>
            <figcaption>
              {statsTexts.duration} <Key token="accent" name="p50" /><Key token="warn" name="p95" dash="6 3" />
              <Key token="bad" name="p99" dash="2 3" />
            </figcaption>
            <Drawing
              {...shared} kind="lines" series={durations} formatValue={formatDuration}
              label={statsTexts.durationLabel(lowerFirst(words))}
            />
          </figure>
        )}
      </div>
      <SeriesTable series={series} onPick={onBrush} />
    </>
  )
}

/** The chart is loaded after the numbers, which are in the table in any case. */
function Drawing(props: TimeChartProps) {
  const { part: TimeChart, hasFailed } = useLoaded(loadTimeChart)
  if (TimeChart) return <TimeChart {...props} />
  return <div className="time-chart">
    {hasFailed && <p className="muted" role="status">{statsTexts.drawingNotLoaded}</p>}
  </div>
}

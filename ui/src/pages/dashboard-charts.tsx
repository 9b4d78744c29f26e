import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { Link } from 'wouter'
import type { Timeseries, TimeseriesPoint } from '../../../schemas/index.ts'
import { timeseriesQuery } from '../api/timeseries.ts'
import { Section } from '../components/section.tsx'
import type { TimeChartProps } from '../components/time-chart.tsx'
import { Failed, SkeletonRows, Stale } from '../components/states.tsx'
import { isRange, RANGE_WORDS, RANGES, type Range } from '../format/address.ts'
import { currentTime } from '../format/clock.ts'
import { formatDuration } from '../format/duration.ts'
import { formatCount, formatPace, plural } from '../format/number.ts'
import { formatClock } from '../format/time.ts'
import { summarize, toChartColumns } from '../format/timeseries.ts'
import { useAddress } from '../hooks/use-address.ts'
import { useLoaded } from '../hooks/use-loaded.ts'
import { useMedia } from '../hooks/use-media.ts'
import { usePolling } from '../hooks/use-pause.ts'
import { useSettled } from '../hooks/use-settled.ts'
import { useTheme } from '../hooks/use-theme.ts'

const loadTimeChart = async () => (await import('../components/time-chart.tsx')).TimeChart
const POLLED_EVERY_MS = 15_000

/** Throughput and duration over time, with one cursor for both. */
export function DashboardCharts() {
  const address = useAddress()
  const asked = address.get('window')
  const window: Range = isRange(asked) ? asked : '1h'
  const { data, failure, updatedAt } = useSettled(useQuery({ ...timeseriesQuery(window), ...usePolling(POLLED_EVERY_MS) }))
  const aside = (
    <span className="section-aside">
      <Stale failure={failure} updatedAt={updatedAt} />
      <nav className="segments" aria-label="Window of the charts">
        {(Object.keys(RANGES) as Range[]).map(range => (
          <Link
            key={range} href={address.href({ window: range === '1h' ? null : range })} className="segment"
            aria-current={range === window ? 'true' : undefined} title={RANGE_WORDS[range]}
          >
            {range.replace(/(?=[mhd])/, ' ')}
          </Link>
        ))}
      </nav>
    </span>
  )
  return (
    <Section title="Over time" aside={aside} className="charts-section">
      {data
        ? <Charts series={data} window={window} />
        : failure
          ? <Failed what="The time series" failure={failure} isBrief />
          : <SkeletonRows count={4} label="Loading the time series" />}
    </Section>
  )
}

function Charts({ series, window }: { series: Timeseries; window: Range }) {
  const [index, setIndex] = useState<number | null>(null)
  const isDark = useMedia('(prefers-color-scheme: dark)')
  const theme = `${useTheme().theme} ${isDark}`
  const columns = useMemo(() => toChartColumns(series.points), [series])
  const [throughput, durations] = useMemo(() => [
    [
      { name: 'Success', token: 'chart-success', values: columns.finished },
      { name: 'Failed', token: 'chart-failed', values: columns.failed }
    ],
    [
      { name: 'p50', token: 'accent', values: columns.p50 }, { name: 'p95', token: 'warn', values: columns.p95, dash: [6, 3] },
      { name: 'p99', token: 'bad', values: columns.p99, dash: [2, 3] }
    ]
  ], [columns])
  const summary = summarize(series)
  const onCursor = useCallback((next: number | null) => setIndex(next), [])
  const shared = { at: columns.at, theme, group: 'dashboard', onCursor }
  const point = index === null ? undefined : series.points[index]
  if (summary.isUnknown) return <p className="muted">No data for this time: {gapWords(summary.gap)}.</p>
  return (
    <>
      <p className="charts-readout">
        {point ? <PointWords point={point} stepMs={series.step_ms} /> : <>
          <b>{RANGE_WORDS[window]}</b>
          <span>{formatCount(summary.success)} succeeded</span><span>{formatCount(summary.failed)} failed</span>
          {summary.knownSince !== null &&
            <span className="muted">
              known since {formatClock(Date.parse(summary.knownSince), currentTime())}; before that {gapWords(summary.gap)}
            </span>}
        </>}
      </p>
      <div className="charts">
        <figure>
          <figcaption>Finished a minute <Key token="chart-success" name="success" /><Key token="chart-failed" name="failed" /></figcaption>
          <Drawing
            {...shared} kind="bars" series={throughput} formatValue={formatPace}
            label={`Throughput, ${RANGE_WORDS[window].toLowerCase()}: ${plural(summary.success, 'execution')} succeeded, ` +
              `${formatCount(summary.failed)} failed`}
          />
        </figure>
        <figure>
          <figcaption>
            Duration <Key token="accent" name="p50" /><Key token="warn" name="p95" dash="6 3" /><Key token="bad" name="p99" dash="2 3" />
          </figcaption>
          <Drawing
            {...shared} kind="lines" series={durations} formatValue={formatDuration}
            label={`Duration, ${RANGE_WORDS[window].toLowerCase()}: percentiles of the last attempts; the table below has the numbers`}
          />
        </figure>
      </div>
      <Figures series={series} />
    </>
  )
}

/** The drawing is loaded after the numbers, which the table has in any case. */
function Drawing(props: TimeChartProps) {
  const { part: TimeChart, hasFailed } = useLoaded(loadTimeChart)
  if (TimeChart) return <TimeChart {...props} />
  return <div className="time-chart">
    {hasFailed && <p className="muted" role="status">The drawing could not be loaded; asked again.</p>}
  </div>
}

function gapWords(gap: TimeseriesPoint['gap']): string {
  return gap === 'not_kept' ? 'spans this short are not kept that long' : 'counting had not started'
}

/** A line as it is drawn, so that it is told apart without its colour. */
function Key({ token, name, dash }: { token: string; name: string; dash?: string }) {
  return <span className="key">
    <svg viewBox="0 0 16 8" aria-hidden="true">
      <line x1="0" y1="4" x2="16" y2="4" className={`stroke-${token}`} strokeDasharray={dash} />
    </svg>{name}
  </span>
}

function PointWords({ point, stepMs }: { point: TimeseriesPoint; stepMs: number }) {
  const start = Date.parse(point.at)
  const percentiles = (['p50', 'p95', 'p99'] as const).map(name => ({ name, value: point[name] ?? null }))
  return (
    <>
      <b>{formatClock(start, currentTime())} to {formatClock(start + stepMs, start)}</b>
      {point.gap === null && point.success !== null && point.failed !== null
        ? <><span>{formatCount(point.success)} succeeded</span><span>{formatCount(point.failed)} failed</span></>
        : <span className="muted">not known: {gapWords(point.gap)}</span>}
      {percentiles.map(({ name, value }) =>
        value !== null && <span key={name}><span className="muted">{name}</span> {formatDuration(value)}</span>)}
      {point.open && <span className="muted">not over yet</span>}
    </>
  )
}

/** The same as numbers. */
function Figures({ series }: { series: Timeseries }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className="more-details" onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>As a table</summary>
      {isOpen && (
        <div className="figures-table" tabIndex={0} role="region" aria-label="The time series as a table">
          <table>
            <thead>
              <tr>
                <th scope="col">From</th><th scope="col">
                  Succeeded
                </th><th scope="col">Failed</th><th scope="col">p50</th><th scope="col">p95</th><th scope="col">p99</th>
              </tr>
            </thead>
            <tbody>
              {series.points.toReversed().map(point => (
                <tr key={point.at}>
                  <th scope="row">
                    {formatClock(Date.parse(point.at), currentTime())}{point.open && <span className="muted"> not over</span>}
                  </th>
                  {[point.success, point.failed].map((count, column) => <td key={column}>{count === null ? '—' : formatCount(count)}</td>)}
                  {(['p50', 'p95', 'p99'] as const).map(name =>
                    <td key={name}>{point[name] === null || point[name] === undefined ? '—' : formatDuration(point[name])}</td>)}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </details>
  )
}

import { useState } from 'react'
import type { Timeseries } from '../../../../schemas/index.ts'
import { currentTime } from '../../format/time/clock.ts'
import { formatDuration } from '../../format/time/duration.ts'
import { formatCount } from '../../format/stats/number.ts'
import { formatClock } from '../../format/time/time.ts'
import { statsTexts } from '../../texts/stats.ts'
import { timeTexts } from '../../texts/time.ts'

interface Props {
  readonly series: Timeseries
  /** Milliseconds since the epoch. It picks a span for readers who cannot brush over the chart with a mouse. */
  readonly onPick: (from: number, to: number) => void
}

/** A time series as numbers. */
export function SeriesTable({ series, onPick }: Props) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className="more-details" onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>{statsTexts.asTable}</summary>
      {isOpen && (
        <div className="figures-table" tabIndex={0} role="region" aria-label={statsTexts.asTableLabel}>
          <table>
            <thead>
              <tr>
                {[timeTexts.from, statsTexts.succeeded, statsTexts.failed, 'p50', 'p95', 'p99'].map(name =>
                  <th key={name} scope="col">{name}</th>)}
              </tr>
            </thead>
            <tbody>
              {series.points.toReversed().map(point => {
                const start = Date.parse(point.at)
                return (
                  <tr key={point.at}>
                    <th scope="row">
                      <button
                        type="button" className="table-pick" title={statsTexts.showOnlyThis}
                        onClick={() => onPick(start, start + series.step_ms)}
                      >
                        {formatClock(start, currentTime())}
                      </button>{point.open && <span className="muted"> {statsTexts.notOver}</span>}
                    </th>
                    {[point.success, point.failed].map((count, column) => <td key={column}>{formatCount(count)}</td>)}
                    {(['p50', 'p95', 'p99'] as const).map(name =>
                      <td key={name}>{point[name] === null || point[name] === undefined ? '—' : formatDuration(point[name])}</td>)}
                  </tr>
                )
              })}
            </tbody>
          </table>
        </div>
      )}
    </details>
  )
}

import type { TimeseriesPoint } from '../../../../schemas/index.ts'
import { currentTime } from '../../format/time/clock.ts'
import { formatDuration } from '../../format/time/duration.ts'
import { formatClock } from '../../format/time/time.ts'
import { gapWords } from '../../format/stats/timeseries.ts'
import { statsTexts } from '../../texts/stats.ts'
import { timeTexts } from '../../texts/time.ts'

/** How a line is drawn, so that it can be recognised without its colour. */
export function Key({ token, name, dash }: { token: string; name: string; dash?: string }) {
  return <span className="key">
    <svg viewBox="0 0 16 8" aria-hidden="true">
      <line x1="0" y1="4" x2="16" y2="4" className={`stroke-${token}`} strokeDasharray={dash} />
    </svg>{name}
  </span>
}

/** The span under the cursor. */
export function PointWords({ point, stepMs }: { point: TimeseriesPoint; stepMs: number }) {
  const start = Date.parse(point.at)
  const percentiles = (['p50', 'p95', 'p99'] as const).map(name => ({ name, value: point[name] ?? null }))
  return (
    <>
      <b>{timeTexts.between(formatClock(start, currentTime()), formatClock(start + stepMs, start))}</b>
      {point.gap === null && point.success !== null && point.failed !== null
        ? <><span>{statsTexts.countSucceeded(point.success)}</span><span>{statsTexts.countFailed(point.failed)}</span></>
        : <span className="muted">{statsTexts.notKnown(gapWords(point.gap))}</span>}
      {percentiles.map(({ name, value }) =>
        value !== null && <span key={name}><span className="muted">{name}</span> {formatDuration(value)}</span>)}
      {point.open && <span className="muted">{statsTexts.notOverYet}</span>}
    </>
  )
}

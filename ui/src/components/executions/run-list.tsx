import type { SchedulePreview } from '../../../../schemas/index.ts'
import { currentTime } from '../../format/time/clock.ts'
import { formatInterval } from '../../format/time/duration.ts'
import { formatLocals } from '../../format/time/time.ts'
import { Countdown, Moment } from '../elements/moment.tsx'

const NOTES = {
  dst_gap: 'moved: the clocks go forward over this time',
  dst_overlap: 'the clocks go back: this local time happens twice'
} as const

interface Props {
  readonly preview: SchedulePreview
  /** RFC 3339; no run is due after it. */
  readonly endAt?: string | null
  readonly jitterMs?: number
}

/** The next runs, in the zone of the schedule. */
export function RunList({ preview, endAt = null, jitterMs = 0 }: Props) {
  const runs = endAt === null ? preview.runs : preview.runs.filter(run => Date.parse(run.at) <= Date.parse(endAt))
  const times = formatLocals(runs.map(run => run.local), currentTime())
  return (
    <>
      {jitterMs > 0 && <p className="muted">Each is put off by up to {formatInterval(jitterMs)} of jitter, which is not in these times.</p>}
      <ol className="runs">
        {runs.map((run, index) => (
          <li key={run.at}>
            <span>{times[index]} <span className="muted">{run.offset}</span></span>
            <span className="muted"><Countdown at={run.at} /></span>
            {run.note && <span className="runs-note tone-warn">{NOTES[run.note]}</span>}
          </li>
        ))}
      </ol>
      {endAt !== null && runs.length < preview.runs.length && <p className="muted">No more: it ends <Moment at={endAt} as="both" />.</p>}
    </>
  )
}

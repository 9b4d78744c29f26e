import type { SchedulePreview } from '../../../../schemas/index.ts'
import { currentTime } from '../../format/time/clock.ts'
import { formatInterval } from '../../format/time/duration.ts'
import { formatLocals } from '../../format/time/time.ts'
import { Countdown, Moment } from '../elements/moment.tsx'
import { scheduleTexts } from '../../texts/schedules.ts'

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
  const notes = { dst_gap: scheduleTexts.dstGap, dst_overlap: scheduleTexts.dstOverlap }
  return (
    <>
      {jitterMs > 0 && <p className="muted">{scheduleTexts.putOff(formatInterval(jitterMs))}</p>}
      <ol className="runs">
        {runs.map((run, index) => (
          <li key={run.at}>
            <span>{times[index]} <span className="muted">{run.offset}</span></span>
            <span className="muted"><Countdown at={run.at} /></span>
            {run.note && <span className="runs-note tone-warn">{notes[run.note]}</span>}
          </li>
        ))}
      </ol>
      {endAt !== null && runs.length < preview.runs.length &&
        <p className="muted">{scheduleTexts.noMoreEnds(<Moment at={endAt} as="both" />)}</p>}
    </>
  )
}

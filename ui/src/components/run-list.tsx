import type { SchedulePreview } from '../../../schemas/index.ts'
import { formatLocal } from '../format/time.ts'
import { Countdown } from './moment.tsx'

const NOTES = {
  dst_gap: 'moved: the clocks go forward over this time',
  dst_overlap: 'the clocks go back: this local time happens twice'
} as const

/** The next runs, in the zone of the schedule. */
export function RunList({ preview }: { preview: SchedulePreview }) {
  return (
    <ol className="runs">
      {preview.runs.map((run) => (
        <li key={run.at}>
          <span>{formatLocal(run.local)} <span className="muted">{run.offset}</span></span>
          <span className="muted"><Countdown at={run.at} /></span>
          {run.note && <span className="runs-note tone-warn">{NOTES[run.note]}</span>}
        </li>
      ))}
    </ol>
  )
}

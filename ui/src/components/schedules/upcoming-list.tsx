import { Link } from 'wouter'
import type { Schedule } from '../../../../schemas/index.ts'
import { scheduleTitle } from '../../format/schedules/schedule-title.ts'
import { timingInWords } from '../../format/schedules/timing-in-words.ts'
import { Countdown, Moment } from '../elements/moment.tsx'

interface Props {
  readonly schedules: readonly Schedule[]
  readonly href: (scheduleId: string) => string
}

export function UpcomingList({ schedules, href }: Props) {
  return (
    <ol className="upcoming">
      {schedules.map(schedule => (
        <li key={schedule.schedule_id}>
          <span className="upcoming-name">
            <Link href={href(schedule.schedule_id)} className="row-link" data-row-link><bdi>{scheduleTitle(schedule)}</bdi></Link>
            <span className="muted">
              <bdi>{timingInWords(schedule)}</bdi>{schedule.schedule_type === 'cron' && ` · ${schedule.timezone}`}
            </span>
          </span>
          <span className="upcoming-when num">
            <Countdown at={schedule.next_run_at!} />
            <span className="muted"><Moment at={schedule.next_run_at!} /></span>
          </span>
        </li>
      ))}
    </ol>
  )
}

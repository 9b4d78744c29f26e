import type { Schedule } from '../../../../schemas/index.ts'
import { StatusMark } from '../elements/status-mark.tsx'

/** What is wrong with a schedule, and what follows from it; nothing when all is well. */
export function ScheduleAlerts({ schedule }: { schedule: Schedule }) {
  return (
    <>
      {!schedule.task_registered && (
        <p className="alert">
          <StatusMark mark="warning" word="No process has registered its task for five minutes." /> {schedule.enabled
            ? 'Its runs are missed until one does'
            : 'It could not run if it were enabled'}: start one that registers <code className="wrap">
            <bdi>{schedule.task_name}</bdi>
          </code>.
        </p>
      )}
      {schedule.overdue && (
        <p className="alert">
          <StatusMark mark="warning" word="Overdue." /> A due run has not been taken by any worker for over 30 seconds.
        </p>
      )}
    </>
  )
}

/** The same in a word each, for the start of a line. They wrap: a warning is never cut for want of width. */
export function ScheduleTags({ schedule }: { schedule: Schedule }) {
  return (
    <span className="tags">
      {!schedule.task_registered &&
        <span className="tone-warn" title="No process has registered its task for five minutes">task not registered</span>}
      {schedule.overdue &&
        <span className="tone-warn" title="A due run has not been taken by any worker for over 30 seconds">overdue</span>}
      {schedule.drift &&
        <span
          className="tone-warn" title={`Not as the code says: ${schedule.drift.fields.map(({ field }) => field).join(', ')}`}
        >edited</span>}
    </span>
  )
}

import type { Schedule } from '../../../../schemas/index.ts'
import { StatusMark } from '../elements/status-mark.tsx'
import { errorTexts } from '../../texts/errors.ts'
import { scheduleTexts } from '../../texts/schedules.ts'

/** What is wrong with a schedule, and what follows from it; nothing if all is well. */
export function ScheduleAlerts({ schedule }: { schedule: Schedule }) {
  const whatToDo = schedule.enabled ? scheduleTexts.runsAreMissed : scheduleTexts.couldNotRun
  return (
    <>
      {!schedule.task_registered && (
        <p className="alert">
          <StatusMark mark="warning" word={scheduleTexts.noProcess} /> {whatToDo(
            <code className="wrap"><bdi>{schedule.task_name}</bdi></code>
          )}
        </p>
      )}
      {schedule.note && <p className="muted"><bdi>{errorTexts.sayOfPart(schedule.note)}</bdi>.</p>}
      {schedule.overdue && (
        <p className="alert">
          <StatusMark mark="warning" word={scheduleTexts.overdue} /> {scheduleTexts.overdueDetail}
        </p>
      )}
    </>
  )
}

/** The same in one word each, for the start of a line. They wrap, because a warning must never be cut. */
export function ScheduleTags({ schedule }: { schedule: Schedule }) {
  return (
    <span className="tags">
      {!schedule.task_registered &&
        <span className="tone-warn" title={scheduleTexts.noProcessTitle}>{scheduleTexts.tags.notRegistered}</span>}
      {schedule.overdue &&
        <span className="tone-warn" title={scheduleTexts.filterTitles.overdue}>{scheduleTexts.tags.overdue}</span>}
      {schedule.drift &&
        <span
          className="tone-warn" title={scheduleTexts.editedTitle(schedule.drift.fields.map(({ field }) => field).join(', '))}
        >{scheduleTexts.tags.edited}</span>}
    </span>
  )
}

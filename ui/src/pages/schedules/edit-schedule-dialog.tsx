import type { Schedule } from '../../../../schemas/index.ts'
import { Dialog } from '../../components/elements/dialog.tsx'
import { ScheduleForm } from '../../components/schedules/schedule-form.tsx'
import { draftFrom, inZoneNow, isEmpty, toChangesCall, type ScheduleDraft } from '../../format/schedules/schedule-draft.ts'
import { anchorOf } from '../../format/schedules/schedule-timing.ts'
import { scheduleTitle } from '../../format/schedules/schedule-title.ts'
import { useDraft } from '../../hooks/use-draft.ts'
import { ComposerResult } from './composer-result.tsx'
import { useTimingPreview } from './use-timing-preview.ts'
import { scheduleTexts } from '../../texts/schedules.ts'

interface Props {
  /** The current state of the schedule. Changes are relative to the state when typing began. */
  readonly schedule: Schedule
  readonly needsReason: boolean
  readonly onClose: () => void
}

interface Edit {
  /** As it was when typing began. */
  readonly schedule: Schedule
  readonly draft: ScheduleDraft
}

/** Composes the call that changes a schedule; the reader runs it elsewhere. */
export function EditScheduleDialog({ schedule: newest, needsReason, onClose }: Props) {
  const [edit, setEdit, startAgain] = useDraft<Edit>(
    `schedule ${newest.schedule_id}`, () => ({ schedule: newest, draft: draftFrom(newest) })
  )
  const draft = inZoneNow(edit.draft)
  const toNewest = toChangesCall(newest, draft)
  // The reader may have run the call elsewhere.
  const isApplied = toNewest.call === null && isEmpty(toNewest.problems)
  const schedule = isApplied ? newest : edit.schedule
  const { call, problems } = toChangesCall(schedule, draft)
  const isSameInterval = schedule.interval_ms !== null && draft.everySeconds === draftFrom(schedule).everySeconds
  const timing = useTimingPreview(draft, isSameInterval ? anchorOf(schedule) : null)
  const allProblems = { ...timing.refused, ...problems }

  return (
    <Dialog title={scheduleTexts.editTitle} className="dialog-wide" onClose={onClose}>
      <p>
        <b className="wrap"><bdi>{scheduleTitle(schedule)}</bdi></b> <span className="muted wrap"><bdi>{schedule.task_name}</bdi></span>
      </p>
      <p className="muted">
        {scheduleTexts.changedThroughApi}
        {schedule.source === 'code' && ` ${schedule.wins === 'code' ? scheduleTexts.fromCodeWins : scheduleTexts.fromCodeStays}`}
      </p>
      {newest.version !== schedule.version && (
        <p className="alert" role="status">
          {scheduleTexts.changedMeanwhile} <button
            type="button" className="button button-small" onClick={startAgain}
          >
            {scheduleTexts.startAgain}
          </button>
        </p>
      )}
      <div className="composer">
        <ScheduleForm
          draft={draft} taskNames={[schedule.task_name]} problems={allProblems} onChange={next => setEdit({ schedule, draft: next })} isEdit
        />
        <ComposerResult
          draft={draft} timing={timing} call={isEmpty(allProblems) ? call : null}
          none={isEmpty(allProblems) ? scheduleTexts.callOnceChanged : scheduleTexts.callOnceValid} needsReason={needsReason}
        />
      </div>
    </Dialog>
  )
}

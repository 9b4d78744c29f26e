import { useState, type ComponentProps } from 'react'
import type { Schedule } from '../../../../schemas/index.ts'
import { scheduleTitle } from '../../format/schedules/schedule-title.ts'
import { timingInWords } from '../../format/schedules/timing-in-words.ts'
import { ReasonField } from '../actions/reason-field.tsx'
import { FormDialog } from '../elements/form-dialog.tsx'
import { scheduleTexts } from '../../texts/schedules.ts'

interface Props {
  readonly schedule: Schedule
  readonly isBusy: boolean
  readonly refusal: string | null
  /** The schedule may have been deleted in spite of the error. */
  readonly isInDoubt: boolean
  readonly reason: ComponentProps<typeof ReasonField>
  /** The reason is given, if it is required. */
  readonly isReady: boolean
  readonly onDelete: () => void
  readonly onClose: () => void
}

export function DeleteScheduleDialog({ schedule, isBusy, refusal, isInDoubt, reason, isReady, onDelete, onClose }: Props) {
  const [typed, setTyped] = useState('')
  return (
    <FormDialog
      title={scheduleTexts.deleteQuestion} confirmLabel={isBusy ? scheduleTexts.deleting : scheduleTexts.deleteIt}
      closeLabel={scheduleTexts.keepIt} isDangerous isReady={isReady && typed === schedule.task_name && !isBusy} onConfirm={onDelete}
      onClose={onClose}
    >
      <p><b className="wrap"><bdi>{scheduleTitle(schedule)}</bdi></b> — <bdi>{timingInWords(schedule)}</bdi></p>
      <ul className="list">
        <li>{scheduleTexts.runsNoMore}</li>
        <li>{scheduleTexts.isLost(schedule.stats.runs, schedule.stats.missed ?? 0)}</li>
        <li>{scheduleTexts.historyStays}</li>
        {schedule.source === 'code' && <li>{scheduleTexts.definedInCode}</li>}
      </ul>
      <p>{scheduleTexts.disableInstead}</p>
      <label className="field">
        <span>{scheduleTexts.typeToConfirm(<code className="wrap"><bdi>{schedule.task_name}</bdi></code>)}</span>
        <input type="text" value={typed} autoComplete="off" spellCheck={false} onInput={event => setTyped(event.currentTarget.value)} />
      </label>
      <ReasonField {...reason} isFolded />
      {refusal &&
        <p className="tone-bad" role="alert">
          {isInDoubt
            ? scheduleTexts.deleteInDoubt(refusal.replace(/\.?$/, '.'))
            : scheduleTexts.notDeleted(refusal)}
        </p>}
    </FormDialog>
  )
}

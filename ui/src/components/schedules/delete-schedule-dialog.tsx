import { useState } from 'react'
import type { Schedule } from '../../../../schemas/index.ts'
import { plural } from '../../format/stats/number.ts'
import { scheduleTitle } from '../../format/executions/status.ts'
import { Dialog } from '../elements/dialog.tsx'

interface Props {
  readonly schedule: Schedule
  readonly isBusy: boolean
  readonly refusal: string | null
  /** It may have been deleted all the same. */
  readonly isInDoubt: boolean
  readonly onDelete: () => void
  readonly onClose: () => void
}

export function DeleteScheduleDialog({ schedule, isBusy, refusal, isInDoubt, onDelete, onClose }: Props) {
  const [typed, setTyped] = useState('')
  const isConfirmed = typed === schedule.task_name
  return (
    <Dialog title="Delete this schedule?" className="dialog-narrow" onClose={onClose}>
      <form className="form" onSubmit={event => { event.preventDefault(); if (isConfirmed && !isBusy) onDelete() }}>
        <p><b className="wrap"><bdi>{scheduleTitle(schedule)}</bdi></b> — <bdi>{schedule.human}</bdi></p>
        <ul className="list">
          <li>It does not run again. Executions that are already waiting or running still finish.</li>
          <li>
            Its definition and statistics are lost: {schedule.stats.runs === null
              ? 'its runs'
              : plural(schedule.stats.runs, 'run')}, {plural(schedule.stats.missed, 'missed run')}.
          </li>
          <li>The history of its executions stays.</li>
          {schedule.source === 'code' &&
            <li>It is defined in code: remove it there as well, or the next start of the queue app may bring it back.</li>}
        </ul>
        <p>To stop it for a while, disable it instead.</p>
        <label className="field">
          <span>Type <code className="wrap"><bdi>{schedule.task_name}</bdi></code> to confirm</span>
          <input type="text" value={typed} autoComplete="off" spellCheck={false} onInput={event => setTyped(event.currentTarget.value)} />
        </label>
        {refusal &&
          <p className="tone-bad" role="alert">
            {isInDoubt
              ? <>Not confirmed: it may be deleted, or may yet be. {refusal.replace(/\.?$/, '.')} Delete it again to be sure.</>
              : <>Not deleted: {refusal}</>}
          </p>}
        <div className="form-actions">
          <button type="button" className="button" onClick={onClose}>Keep it</button>
          <button type="submit" className="button button-danger" disabled={!isConfirmed || isBusy}>
            {isBusy ? 'Deleting…' : 'Delete schedule'}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

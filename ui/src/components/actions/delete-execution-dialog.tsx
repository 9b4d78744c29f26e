import type { ComponentProps } from 'react'
import { Dialog } from '../elements/dialog.tsx'
import { ReasonField } from './reason-field.tsx'
import { actionTexts } from '../../texts/actions.ts'

interface Props {
  readonly taskName: string
  readonly isFailed: boolean
  readonly reason: ComponentProps<typeof ReasonField>
  readonly canConfirm: boolean
  readonly isBusy: boolean
  readonly refusal: string | null
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** Says what is lost, because it cannot be taken back. */
export function DeleteExecutionDialog({ taskName, isFailed, reason, canConfirm, isBusy, refusal, onConfirm, onClose }: Props) {
  return (
    <Dialog title={actionTexts.deleteQuestion} className="dialog-narrow" onClose={onClose}>
      <form className="form" onSubmit={event => { event.preventDefault(); if (canConfirm && !isBusy) onConfirm() }}>
        <p><b className="wrap"><bdi>{taskName}</bdi></b></p>
        <p>{actionTexts.deleteLoses}</p>
        <p>{isFailed ? actionTexts.deleteLosesRetry : actionTexts.deleteKeeps}</p>
        <ReasonField {...reason} />
        {refusal !== null && <p className="tone-bad" role="alert">{refusal}</p>}
        <div className="form-actions">
          <button type="button" className="button" onClick={onClose}>{actionTexts.cancel}</button>
          <button type="submit" className="button button-danger" disabled={!canConfirm || isBusy}>{actionTexts.deleteIt}</button>
        </div>
      </form>
    </Dialog>
  )
}

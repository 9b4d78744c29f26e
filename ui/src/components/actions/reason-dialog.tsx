import type { ComponentProps } from 'react'
import { Dialog } from '../elements/dialog.tsx'
import { ReasonField } from './reason-field.tsx'
import { actionTexts } from '../../texts/actions.ts'

interface Props {
  readonly question: string
  /** What it is about. */
  readonly name: string
  readonly confirmLabel: string
  readonly field: ComponentProps<typeof ReasonField>
  readonly isReady: boolean
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** Asks only for the reason, where an action needs no other question. */
export function ReasonDialog({ question, name, confirmLabel, field, isReady, onConfirm, onClose }: Props) {
  return (
    <Dialog title={question} className="dialog-narrow" onClose={onClose}>
      <form className="form" onSubmit={event => { event.preventDefault(); if (isReady) onConfirm() }}>
        <p><b className="wrap"><bdi>{name}</bdi></b></p>
        <ReasonField {...field} />
        <div className="form-actions">
          <button type="button" className="button" onClick={onClose}>{actionTexts.cancel}</button>
          <button type="submit" className="button button-primary" disabled={!isReady}>{confirmLabel}</button>
        </div>
      </form>
    </Dialog>
  )
}

import type { ReactNode } from 'react'
import { actionTexts } from '../../texts/actions.ts'
import { Dialog } from './dialog.tsx'

interface Props {
  readonly title: string
  readonly confirmLabel: string
  /** The text of the button that closes the dialog. */
  readonly closeLabel?: string
  readonly isDangerous?: boolean
  readonly isReady: boolean
  readonly onConfirm: () => void
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A question with the fields that it needs. Once it is ready, Enter confirms it like the button. */
export function FormDialog({
  title, confirmLabel, closeLabel = actionTexts.cancel, isDangerous = false, isReady, onConfirm, onClose, children
}: Props) {
  return (
    <Dialog title={title} className="dialog-narrow" onClose={onClose}>
      <form className="form" onSubmit={event => { event.preventDefault(); if (isReady) onConfirm() }}>
        {children}
        <div className="form-actions">
          <button type="button" className="button" onClick={onClose}>{closeLabel}</button>
          <button type="submit" className={`button ${isDangerous ? 'button-danger' : 'button-primary'}`} disabled={!isReady}>
            {confirmLabel}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

import type { ComponentProps } from 'react'
import type { BulkVerb } from '../../format/bulk/bulk-state.ts'
import { ReasonField } from '../actions/reason-field.tsx'
import { Dialog } from '../elements/dialog.tsx'
import { actionTexts } from '../../texts/actions.ts'
import { bulkTexts } from '../../texts/bulk.ts'

interface Props {
  readonly verb: BulkVerb
  readonly reason: ComponentProps<typeof ReasonField>
  readonly isReady: boolean
  readonly refusal: string | null
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** Asks before an operation is changed. */
export function BulkVerbDialog({ verb, reason, isReady, refusal, onConfirm, onClose }: Props) {
  const texts = bulkTexts.verbs[verb]
  return (
    <Dialog title={texts.question} className="dialog-narrow" onClose={onClose}>
      <form className="form" onSubmit={event => { event.preventDefault(); if (isReady) onConfirm() }}>
        <p>{texts.detail}</p>
        <ReasonField {...reason} />
        <p role="status">{refusal !== null && <span className="tone-bad wrap">{refusal}</span>}</p>
        <div className="form-actions">
          <button type="button" className="button" onClick={onClose}>{actionTexts.cancel}</button>
          <button type="submit" className={`button ${verb === 'abort' ? 'button-danger' : 'button-primary'}`} disabled={!isReady}>
            {texts.confirm}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

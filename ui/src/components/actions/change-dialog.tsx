import type { ComponentProps } from 'react'
import { MAX_PRIORITY } from '../../../../schemas/limits.ts'
import type { ChangeDraft } from '../../format/actions/execution-changes.ts'
import { FormDialog } from '../elements/form-dialog.tsx'
import { ReasonField } from './reason-field.tsx'
import { WholeNumber } from './whole-number.tsx'
import { actionTexts } from '../../texts/actions.ts'

interface Props {
  readonly draft: ChangeDraft
  readonly onDraft: (draft: ChangeDraft) => void
  readonly reason: ComponentProps<typeof ReasonField>
  readonly canConfirm: boolean
  readonly isBusy: boolean
  readonly refusal: string | null
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** Priority and due time of an execution that waits. */
export function ChangeDialog({ draft, onDraft, reason, canConfirm, isBusy, refusal, onConfirm, onClose }: Props) {
  return (
    <FormDialog
      title={actionTexts.changeTitle} confirmLabel={actionTexts.changeIt} isReady={canConfirm && !isBusy} onConfirm={onConfirm}
      onClose={onClose}
    >
      <WholeNumber
        label={actionTexts.priority} note={actionTexts.priorityNote} value={draft.priority} most={MAX_PRIORITY}
        onChange={priority => onDraft({ ...draft, priority })}
      />
      <label className="field">
        <span>{actionTexts.dueAt}</span>
        <input
          type="datetime-local" step="1" value={draft.dueAt} onInput={event => onDraft({ ...draft, dueAt: event.currentTarget.value })}
        />
        <small className="field-problem muted">{actionTexts.dueAtNote}</small>
      </label>
      <ReasonField {...reason} />
      {refusal !== null && <p className="tone-bad" role="alert">{refusal}</p>}
    </FormDialog>
  )
}

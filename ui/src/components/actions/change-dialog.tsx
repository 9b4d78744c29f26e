import { MAX_PRIORITY } from '../../../../schemas/limits.ts'
import type { ChangeDraft } from '../../format/actions/execution-changes.ts'
import { FormDialog } from '../elements/form-dialog.tsx'
import type { ActionDialogProps } from './action-dialog-props.ts'
import { ReasonField } from './reason-field.tsx'
import { WholeNumber } from './whole-number.tsx'
import { actionTexts } from '../../texts/actions.ts'

interface Props extends ActionDialogProps {
  readonly draft: ChangeDraft
  /** False if only the priority can be changed. */
  readonly hasDueAt: boolean
  readonly onDraft: (draft: ChangeDraft) => void
  readonly onConfirm: () => void
}

/** Changes the priority and due time of a waiting execution. */
export function ChangeDialog({ draft, hasDueAt, onDraft, reason, canConfirm, isBusy, refusal, onConfirm, onClose }: Props) {
  return (
    <FormDialog
      title={hasDueAt ? actionTexts.changeTitle : actionTexts.changePriorityTitle} confirmLabel={actionTexts.changeIt}
      isReady={canConfirm && !isBusy} onConfirm={onConfirm} onClose={onClose}
    >
      <WholeNumber
        label={actionTexts.priority} note={actionTexts.priorityNote} value={draft.priority} most={MAX_PRIORITY}
        onChange={priority => onDraft({ ...draft, priority })}
      />
      {hasDueAt && <label className="field">
        <span>{actionTexts.dueAt}</span>
        <input
          type="datetime-local" step="1" value={draft.dueAt} onInput={event => onDraft({ ...draft, dueAt: event.currentTarget.value })}
        />
        <small className="field-problem muted">{actionTexts.dueAtNote}</small>
      </label>}
      <ReasonField {...reason} />
      {refusal !== null && <p className="tone-bad" role="alert">{refusal}</p>}
    </FormDialog>
  )
}

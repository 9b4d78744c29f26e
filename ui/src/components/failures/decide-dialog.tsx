import { useState } from 'react'
import type { FailureGroup } from '../../../../schemas/index.ts'
import { MAX_NOTE_LENGTH } from '../../../../schemas/limits.ts'
import { noteProblem } from '../../format/actions/reason.ts'
import type { ActionDialogProps } from '../actions/action-dialog-props.ts'
import { ReasonField } from '../actions/reason-field.tsx'
import { FormDialog } from '../elements/form-dialog.tsx'
import { StateFact } from './group-state.tsx'
import { groupTexts } from '../../texts/failure-groups.ts'

interface Props extends ActionDialogProps {
  readonly group: FailureGroup
  readonly verb: 'resolve' | 'reopen'
  /** What has changed since the reader was first asked. */
  readonly change?: string | null
  /** The group with the decision that someone else has made since the reader was asked. */
  readonly meanwhile?: FailureGroup | null
  readonly onConfirm: (note: string) => void
}

/** Resolves or reopens a failure group, with a note. */
export function DecideDialog({
  group, verb, reason, canConfirm, isBusy, refusal, change = null, meanwhile = null, onConfirm, onClose
}: Props) {
  const [note, setNote] = useState('')
  const problem = noteProblem(note)
  const texts = groupTexts[verb]
  return (
    <FormDialog
      title={texts.question} confirmLabel={isBusy ? texts.busy : texts.confirm} isReady={canConfirm && problem === null && !isBusy}
      onConfirm={() => onConfirm(note)} onClose={onClose}
    >
      <p className="wrap"><b><bdi>{group.type}</bdi></b> <bdi>{group.message.slice(0, 200)}</bdi></p>
      <p className="muted">{texts.detail}</p>
      <div role="status">
        {meanwhile && <div className="alert"><StateFact group={meanwhile} /><p>{groupTexts.decidedMeanwhile}</p></div>}
      </div>
      <label className="field field-wide">
        <span>{groupTexts.note}</span>
        <textarea
          value={note} rows={3} maxLength={MAX_NOTE_LENGTH} aria-invalid={problem !== null}
          onInput={event => setNote(event.currentTarget.value)}
        />
        {problem !== null && <small className="field-problem tone-bad" role="alert">{problem}</small>}
      </label>
      {reason.isRequired && <ReasonField {...reason} />}
      <p role="status">{refusal !== null && <span className="tone-bad">{refusal}</span>}{change !== null && <> {change}</>}</p>
    </FormDialog>
  )
}

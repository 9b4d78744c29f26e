import { MAX_ACTION_REASON_LENGTH } from '../../../../schemas/limits.ts'
import { reasonProblem } from '../../format/actions/reason.ts'
import { actionTexts } from '../../texts/actions.ts'

interface Props {
  readonly text: string
  readonly onChange: (text: string) => void
  readonly isRequired: boolean
  /** An optional field can be opened on demand. */
  readonly isFolded?: boolean
}

/** Why something is done, for the audit log. */
export function ReasonField({ text, onChange, isRequired, isFolded = false }: Props) {
  const problem = reasonProblem(text)
  const field = (
    <label className="field field-wide">
      <span>{isRequired ? actionTexts.reasonRequired : actionTexts.reason}</span>
      <input
        type="text" value={text} maxLength={MAX_ACTION_REASON_LENGTH} autoComplete="off" required={isRequired}
        aria-invalid={problem !== null} onInput={event => onChange(event.currentTarget.value)}
      />
      {problem !== null && <small className="field-problem tone-bad" role="alert">{problem}</small>}
    </label>
  )
  return isFolded && !isRequired
    ? <details className="more-details"><summary>{actionTexts.addReason}</summary>{field}</details>
    : field
}

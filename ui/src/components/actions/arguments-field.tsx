import { hasHiddenValues, parseArguments } from '../../format/executions/sent-arguments.ts'
import { actionTexts } from '../../texts/actions.ts'

interface Props {
  readonly text: string
  readonly onChange: (text: string) => void
  readonly note: string | null
}

const MAX_ROWS = 12

/** A JSON array to edit, with a message if it is not valid. */
export function ArgumentsField({ text, onChange, note }: Props) {
  const problem = parseArguments(text) === null ? actionTexts.notAnArray : hasHiddenValues(text) ? actionTexts.hiddenValues : null
  return (
    <label className="field field-wide">
      <span>{actionTexts.argumentsLabel}</span>
      <textarea
        className="mono" value={text} rows={Math.min(text.split('\n').length + 1, MAX_ROWS)} spellCheck={false}
        aria-invalid={problem !== null} onInput={event => onChange(event.currentTarget.value)}
      />
      {note !== null && <small className="field-problem muted">{note}</small>}
      {problem !== null && <small className="field-problem tone-bad" role="alert">{problem}</small>}
    </label>
  )
}

import { isWholeNumber } from '../../format/actions/whole-number.ts'
import { formatCount } from '../../format/stats/number.ts'
import { actionTexts } from '../../texts/actions.ts'

interface Props {
  readonly label: string
  readonly note?: string
  readonly value: string
  readonly most: number
  readonly onChange: (value: string) => void
}

/** A field for a number from 0. */
export function WholeNumber({ label, note, value, most, onChange }: Props) {
  return (
    <label className="field">
      <span>{label}</span>
      <input
        type="text" inputMode="numeric" value={value} autoComplete="off" aria-invalid={!isWholeNumber(value, most)}
        onInput={event => onChange(event.currentTarget.value)}
      />
      {note !== undefined && <small className="field-problem muted">{note}</small>}
      {!isWholeNumber(value, most) &&
        <small className="field-problem tone-bad" role="alert">{actionTexts.outOfRange(formatCount(most))}</small>}
    </label>
  )
}

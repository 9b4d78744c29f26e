import { useState, type ComponentProps } from 'react'
import { currentTime } from '../../format/time/clock.ts'
import { withLocalTimes } from '../../format/time/time.ts'
import { useFocusBack } from '../../hooks/use-focus-back.ts'
import { ReasonField } from './reason-field.tsx'
import { actionTexts } from '../../texts/actions.ts'

interface Props {
  /** What confirming does. */
  readonly detail: string
  readonly canAsk: boolean
  readonly isBusy: boolean
  readonly canConfirm: boolean
  readonly reason: ComponentProps<typeof ReasonField>
  readonly refusal: string | null
  readonly onConfirm: () => void
}

/** Needs confirmation, because it cannot be undone. Repeating it changes nothing, so after a lost response it can simply be sent again. */
export function CancelQuestion({ detail, canAsk, isBusy, canConfirm, reason, refusal, onConfirm }: Props) {
  const [isAsking, setAsking] = useState(false)
  const { place, leave } = useFocusBack(isBusy)
  return (
    <div className="run-now" ref={place}>
      {isAsking && canAsk
        ? <div className="run-now-question" role="group" aria-label={actionTexts.cancelQuestion}>
          <p>{detail}</p>
          <ReasonField {...reason} />
          <button
            type="button" className="button button-small button-danger" autoFocus ref={focused} disabled={isBusy || !canConfirm}
            onClick={() => { leave(true); setAsking(false); onConfirm() }}
          >
            {actionTexts.cancelIt}
          </button>
          <button type="button" className="button button-small" onClick={() => { leave(false); setAsking(false) }}>
            {actionTexts.notNow}
          </button>
        </div>
        : canAsk && <button type="button" className="button button-small" disabled={isBusy} onClick={() => setAsking(true)}>
          {isBusy ? actionTexts.cancelling : actionTexts.cancelExecution}
        </button>}
      <p role="status">{refusal !== null && <span className="tone-bad">{withLocalTimes(refusal, currentTime())}</span>}</p>
    </div>
  )
}

/** Called once, when the question appears. */
function focused(element: HTMLElement | null): void {
  // If the button is still disabled, a field must be filled in first.
  const field = element?.matches(':disabled') ? element.parentElement?.querySelector<HTMLElement>('input, textarea') : null
  ;(field ?? element)?.focus()
}

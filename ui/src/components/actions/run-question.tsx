import { useState, type ReactNode } from 'react'
import { PageLink } from '../elements/page-link.tsx'
import { currentTime } from '../../format/time/clock.ts'
import { withLocalTimes } from '../../format/time/time.ts'
import { useFocusBack } from '../../hooks/use-focus-back.ts'
import { actionTexts } from '../../texts/actions.ts'

interface Props {
  /** The text of the button that opens the question. */
  readonly label: string
  readonly question: string
  readonly confirmLabel: string
  readonly canConfirm?: boolean
  readonly isBusy: boolean
  /** The execution that the last attempt created. */
  readonly executionId: string | null
  readonly refusal: string | null
  /** The text before the id of the execution. Default: that it was enqueued. */
  readonly resultLabel?: string
  /** There is nothing left to request. Default false. */
  readonly isOver?: boolean
  /** Why it is not known whether it was run; null if it is known. */
  readonly doubt: string | null
  readonly href: (executionId: string) => string
  readonly onConfirm: () => void
  readonly onLetBe: () => void
  /** What confirming does. */
  readonly children: ReactNode
}

/** Needs confirmation, because a run cannot be undone. */
export function RunQuestion({
  label, question, confirmLabel, canConfirm = true, isBusy, executionId, refusal, resultLabel = actionTexts.enqueued, isOver = false,
  doubt, href, onConfirm, onLetBe, children
}: Props) {
  const [isAsking, setAsking] = useState(false)
  const { place, leave } = useFocusBack(isBusy)
  return (
    <div className="run-now" ref={place}>
      {doubt !== null
        ? <div className="run-now-question" role="group" aria-label={actionTexts.notConfirmed}>
          <p role="alert">
            <b>{actionTexts.mayBeEnqueued}</b> {withLocalTimes(doubt, currentTime()).replace(/\.?$/, '.')}{' '}
            {actionTexts.askAgainDetail}
          </p>
          <button type="button" className="button button-small button-primary" ref={focused} onClick={() => { leave(true); onConfirm() }}>
            {actionTexts.askAgain}
          </button>
          <button type="button" className="button button-small" onClick={() => { leave(false); onLetBe() }}>{actionTexts.leaveIt}</button>
        </div>
        : isAsking
        ? <div className="run-now-question" role="group" aria-label={question}>
          {children}
          <button
            type="button" className="button button-small button-primary" autoFocus ref={focused} disabled={isBusy || !canConfirm}
            onClick={() => { leave(true); setAsking(false); onConfirm() }}
          >
            {confirmLabel}
          </button>
          <button type="button" className="button button-small" onClick={() => { leave(false); setAsking(false) }}>
            {actionTexts.notNow}
          </button>
        </div>
        : !isOver && <button type="button" className="button button-small" disabled={isBusy} onClick={() => setAsking(true)}>
          {isBusy ? actionTexts.enqueueing : label}
        </button>}
      <p role="status">
        {executionId !== null && <>{resultLabel} <PageLink href={href(executionId)} className="wrap"><bdi>{executionId}</bdi></PageLink></>}
        {refusal !== null && <span className="tone-bad">{actionTexts.notRun(withLocalTimes(refusal, currentTime()))}</span>}
      </p>
    </div>
  )
}

/** Called once, when the question appears. It is a constant function, so that a new render does not take the focus from a field. */
function focused(element: HTMLElement | null): void {
  // If the button is still disabled, a field must be filled in first.
  const field = element?.matches(':disabled') ? element.parentElement?.querySelector<HTMLElement>('input, textarea') : null
  ;(field ?? element)?.focus()
}

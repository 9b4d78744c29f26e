import { useState, type ReactNode } from 'react'
import { PageLink } from '../elements/page-link.tsx'
import { currentTime } from '../../format/time/clock.ts'
import { withLocalTimes } from '../../format/time/time.ts'
import { useFocusBack } from '../../hooks/use-focus-back.ts'
import { actionTexts } from '../../texts/actions.ts'

interface Props {
  /** On the button that asks. */
  readonly label: string
  readonly question: string
  readonly confirmLabel: string
  readonly canConfirm?: boolean
  readonly isBusy: boolean
  /** What the last attempt came to. */
  readonly executionId: string | null
  readonly refusal: string | null
  /** Before the id of the execution. Default: that it was enqueued. */
  readonly resultLabel?: string
  /** There is nothing left to request. Default false. */
  readonly isOver?: boolean
  /** Why it is not known whether it was run; null when it is. */
  readonly doubt: string | null
  readonly href: (executionId: string) => string
  readonly onConfirm: () => void
  readonly onLetBe: () => void
  /** What confirming does. */
  readonly children: ReactNode
}

/** Needs confirmation: what it starts cannot be undone. */
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

/** Once, when the question appears: a function of its own, so that drawing again does not take the focus from a field. */
function focused(element: HTMLElement | null): void {
  // What cannot be confirmed yet needs an input first.
  const field = element?.matches(':disabled') ? element.parentElement?.querySelector<HTMLElement>('input, textarea') : null
  ;(field ?? element)?.focus()
}

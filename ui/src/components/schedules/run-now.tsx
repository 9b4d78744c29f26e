import { useState } from 'react'
import { Link } from 'wouter'
import type { Schedule } from '../../../../schemas/index.ts'
import { currentTime } from '../../format/time/clock.ts'
import { withLocalTimes } from '../../format/time/time.ts'
import { scheduleTexts } from '../../texts/schedules.ts'

interface Props {
  readonly schedule: Schedule
  readonly isBusy: boolean
  /** What the last attempt came to. */
  readonly executionId: string | null
  readonly refusal: string | null
  /** Why it is not known whether it was run; null when it is. */
  readonly doubt: string | null
  readonly href: (executionId: string) => string
  readonly onRun: () => void
  readonly onLetBe: () => void
}

/** Asked twice: what it starts cannot be taken back. */
export function RunNow({ schedule, isBusy, executionId, refusal, doubt, href, onRun, onLetBe }: Props) {
  const [isAsking, setAsking] = useState(false)
  return (
    <div className="run-now">
      {doubt !== null
        ? <div className="run-now-question" role="group" aria-label={scheduleTexts.notConfirmed}>
          <p role="alert">
            <b>{scheduleTexts.mayBeEnqueued}</b> {withLocalTimes(doubt, currentTime()).replace(/\.?$/, '.')}{' '}
            {scheduleTexts.askAgainDetail}
          </p>
          <button type="button" className="button button-small button-primary" ref={element => element?.focus()} onClick={onRun}>
            {scheduleTexts.askAgain}
          </button>
          <button type="button" className="button button-small" onClick={onLetBe}>{scheduleTexts.leaveIt}</button>
        </div>
        : isAsking
        ? <div className="run-now-question" role="group" aria-label={scheduleTexts.runNowQuestion}>
          <p>
            {schedule.enabled ? scheduleTexts.enqueuedOnce : scheduleTexts.enqueuedThoughDisabled}
            {schedule.last_status === 'running' && ` ${scheduleTexts.stillRuns}`}
          </p>
          <button
            type="button" className="button button-small button-primary" autoFocus ref={element => element?.focus()} disabled={isBusy}
            onClick={() => { setAsking(false); onRun() }}
          >
            {scheduleTexts.runItNow}
          </button>
          <button type="button" className="button button-small" onClick={() => setAsking(false)}>{scheduleTexts.notNow}</button>
        </div>
        : <button type="button" className="button button-small" disabled={isBusy} onClick={() => setAsking(true)}>
          {isBusy ? scheduleTexts.enqueueing : scheduleTexts.runNow}
        </button>}
      <p role="status">
        {executionId !== null && <>{scheduleTexts.enqueued} <Link href={href(executionId)} className="wrap">{executionId}</Link></>}
        {refusal !== null && <span className="tone-bad">{scheduleTexts.notRun(withLocalTimes(refusal, currentTime()))}</span>}
      </p>
    </div>
  )
}

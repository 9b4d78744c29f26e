import { useState } from 'react'
import { Link } from 'wouter'
import type { Schedule } from '../../../../schemas/index.ts'
import { currentTime } from '../../format/time/clock.ts'
import { withLocalTimes } from '../../format/time/time.ts'

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
        ? <div className="run-now-question" role="group" aria-label="Not confirmed">
          <p role="alert">
            <b>
              Not confirmed: it may have been enqueued, or may yet be.
            </b> {withLocalTimes(doubt, currentTime()).replace(
              /\.?$/, '.'
            )} Ask again: the request is the same, so it is enqueued at most once. Or look for it in the history below.
          </p>
          <button type="button" className="button button-small button-primary" ref={element => element?.focus()} onClick={onRun}>
            Ask again
          </button>
          <button type="button" className="button button-small" onClick={onLetBe}>Leave it</button>
        </div>
        : isAsking
        ? <div className="run-now-question" role="group" aria-label="Run it now?">
          <p>
            It is enqueued once, with its arguments{schedule.enabled
              ? '; its planned runs stay as they are.'
              : ', although it is disabled.'}
            {schedule.last_status === 'running' && ' The run before it still runs.'}
          </p>
          <button
            type="button" className="button button-small button-primary" autoFocus ref={element => element?.focus()} disabled={isBusy}
            onClick={() => { setAsking(false); onRun() }}
          >
            Run it now
          </button>
          <button type="button" className="button button-small" onClick={() => setAsking(false)}>Not now</button>
        </div>
        : <button type="button" className="button button-small" disabled={isBusy} onClick={() => setAsking(true)}>
          {isBusy ? 'Enqueueing…' : 'Run now…'}
        </button>}
      <p role="status">
        {executionId !== null && <>Enqueued: <Link href={href(executionId)} className="wrap">{executionId}</Link></>}
        {refusal !== null && <span className="tone-bad">Not run: {withLocalTimes(refusal, currentTime())}</span>}
      </p>
    </div>
  )
}

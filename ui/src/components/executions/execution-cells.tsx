import type { Execution } from '../../../../schemas/index.ts'
import { formatDuration, formatSpan } from '../../format/time/duration.ts'
import { useTick } from '../../hooks/use-now.ts'
import { Unknown } from '../elements/unknown.tsx'
import { rowTexts } from '../../texts/execution-rows.ts'

export function ErrorLine({ error }: { error: { type: string; message: string } }) {
  return <span className="error-line" title={`${error.type}: ${error.message}`}>
    <b><bdi>{error.type}</bdi></b> <bdi>{error.message}</bdi>
  </span>
}

export function Waited({ execution }: { execution: Execution }) {
  if (execution.wait_ms !== null) return <>{formatDuration(execution.wait_ms)}</>
  if (execution.state === 'delayed') return <span className="muted">{rowTexts.notDue}</span>
  if (execution.status === 'pending' && execution.attempt === 0)
    return <span className="muted"><Elapsed since={execution.submitted_at} /></span>
  if (isUnstarted(execution)) return <span className="sr-only">{rowTexts.neverStarted}</span>
  return <Unknown reason={rowTexts.waitUnknown} />
}

export function Took({ execution }: { execution: Execution }) {
  if (execution.status === 'running' && execution.started_at) return <Elapsed since={execution.started_at} />
  if (execution.duration_ms !== null) return <>{formatDuration(execution.duration_ms)}</>
  if (execution.status === 'pending') return <span className="sr-only">{rowTexts.notYet}</span>
  if (isUnstarted(execution)) return <span className="sr-only">{rowTexts.neverStarted}</span>
  return <Unknown reason={rowTexts.lengthUnknown} />
}

function isUnstarted({ status, started_at: started }: Execution): boolean {
  return status === 'cancelled' && started === null
}

/** The time since a start. It counts up, because the execution is still running. */
function Elapsed({ since }: { since: string }) {
  return <>{useTick(now => formatSpan(Math.max(0, now - Date.parse(since))))}…</>
}

import { Link } from 'wouter'
import type { Execution } from '../../../schemas/index.ts'
import { formatDuration, formatSpan } from '../format/duration.ts'
import { stateWord, statusWord } from '../format/status.ts'
import { useTick } from '../hooks/use-now.ts'
import { Moment } from './moment.tsx'
import { StatusMark } from './status-mark.tsx'
import { Unknown } from './unknown.tsx'

interface Props {
  readonly execution: Execution
  readonly href: string
  readonly isOpen?: boolean
  /** It has left this list since it was drawn. */
  readonly hasMovedOn?: boolean
}

/** The cells of one line of history; the row around them is the list's. */
export function ExecutionCells({ execution, href, isOpen = false, hasMovedOn = false }: Props) {
  const state = stateWord(execution.state)
  return (
    <>
      <span role="cell" className="cell-status">
        <StatusMark mark={execution.status} word={statusWord(execution.status)} />
        {hasMovedOn && <span className="sr-only">, changed since</span>}
      </span>
      <span role="cell" className="cell-task">
        {execution.state === 'stalled' && <span className="tone-warn">stalled · </span>}
        <Link href={href} className="row-link" data-row-link data-opened={isOpen || undefined} aria-current={isOpen ? 'true' : undefined}>
          <bdi>{execution.task_name}</bdi>
        </Link>
        {state && execution.state !== 'stalled' && <span className="muted"> {state}</span>}
      </span>
      <span role="cell" className="cell-changed">
        <Moment at={execution.finished_at ?? execution.started_at ?? execution.submitted_at} />
      </span>
      <span role="cell" className="cell-submitted"><Moment at={execution.submitted_at} /></span>
      <span role="cell" className="cell-waited num"><Waited execution={execution} /></span>
      <span role="cell" className="cell-took num"><Took execution={execution} /></span>
      <span role="cell" className="cell-attempt num" title={`Attempt ${execution.attempt} of ${execution.max_attempts}`}>
        {execution.attempt}<span className="muted">/{execution.max_attempts}</span>
      </span>
      <span role="cell" className="cell-error">{execution.error && <ErrorLine error={execution.error} />}</span>
    </>
  )
}

export function ErrorLine({ error }: { error: { type: string; message: string } }) {
  return <span className="error-line" title={`${error.type}: ${error.message}`}>
    <b><bdi>{error.type}</bdi></b> <bdi>{error.message}</bdi>
  </span>
}

function Waited({ execution }: { execution: Execution }) {
  if (execution.wait_ms !== null) return <>{formatDuration(execution.wait_ms)}</>
  if (execution.state === 'delayed') return <span className="muted">not due</span>
  if (execution.status === 'pending' && execution.attempt === 0)
    return <span className="muted"><Elapsed since={execution.submitted_at} /></span>
  return <Unknown reason="The start of its first attempt was not recorded" />
}

function Took({ execution }: { execution: Execution }) {
  if (execution.status === 'running' && execution.started_at) return <Elapsed since={execution.started_at} />
  if (execution.duration_ms !== null) return <>{formatDuration(execution.duration_ms)}</>
  if (execution.status === 'pending') return <span className="sr-only">not yet</span>
  return <Unknown reason="The length of its last attempt was not recorded" />
}

/** Still going on: it counts up. */
function Elapsed({ since }: { since: string }) {
  return <>{useTick(now => formatSpan(Math.max(0, now - Date.parse(since))))}…</>
}

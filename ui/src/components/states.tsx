import type { ReactNode } from 'react'
import type { Failure } from '../hooks/use-settled.ts'
import { formatClock } from '../format/time.ts'
import { useNow } from '../hooks/use-now.ts'
import { StatusMark } from './status-mark.tsx'

/** Nothing could be loaded: what happened, since when, and the way on. */
export function Failed({ what, failure, onRetry }: { what: string; failure: Failure; onRetry?: () => void }) {
  const now = useNow()
  return (
    <div className="state" role="status">
      <p className="state-title"><StatusMark mark="failed" word={failure.status === 401 ? 'You are signed out' : failure.status === 404 ? `${what} does not exist` : `${what} could not be loaded`} /></p>
      <p>{failure.message.replace(/\.?$/, '.')} {failure.status !== 404 && <>Seen since {formatClock(failure.since, now)}.</>}</p>
      {failure.requestId && <p>Request id in the server's log: <code>{failure.requestId}</code></p>}
      {failure.status === 401
        ? <button type="button" className="button" onClick={() => location.reload()}>Sign in again</button>
        : onRetry && failure.status !== 404 && <button type="button" className="button" onClick={onRetry}>Try again</button>}
    </div>
  )
}

/** Data is shown, but it is not new. */
export function Stale({ failure, updatedAt }: { failure: Failure | null; updatedAt: number }) {
  const now = useNow()
  if (!failure || updatedAt === 0) return null
  return <span className="stale" title={failure.message}>from {formatClock(updatedAt, now)}</span>
}

/** There is nothing, what that means, and the next step. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="state">
      <p className="state-title">{title}</p>
      {children}
    </div>
  )
}

/** The shape of rows that are on their way. */
export function SkeletonRows({ count, label }: { count: number; label: string }) {
  return (
    <div className="skeleton-rows" role="status">
      <span className="sr-only">{label}</span>
      {Array.from({ length: count }, (_, index) => (
        <div className="skeleton-row" key={index} aria-hidden="true"><i /><i /><i /><i /></div>
      ))}
    </div>
  )
}

export function SkeletonText() {
  return <span className="skeleton-text" aria-hidden="true" />
}

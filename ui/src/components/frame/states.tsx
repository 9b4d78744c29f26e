import type { ReactNode } from 'react'
import type { Failure } from '../../hooks/use-settled.ts'
import { isFinal, isMissing } from '../../format/health/final-failure.ts'
import { formatClock } from '../../format/time/time.ts'
import { useTick } from '../../hooks/use-now.ts'
import { SignInAgain } from './sign-in-again.tsx'
import { StatusMark } from '../elements/status-mark.tsx'
import { frameTexts } from '../../texts/frame.ts'

interface FailedProps {
  /** Begins a sentence: `Executions`, `This execution`. */
  readonly what: string
  readonly failure: Failure
  /** A single object, which may not exist. Default: a list. */
  readonly isOne?: boolean
  readonly onRetry?: () => void
  /** One line, for a page that says elsewhere what is wrong. */
  readonly isBrief?: boolean
}

/** A store refuses the request of any reader until someone changes something in the store. */
const REFUSED = 'STORE_REFUSED'

/** Nothing could be loaded: what happened, since when, and what to do. It is retried in any case. */
export function Failed({ what, failure, isOne = false, onRetry, isBrief = false }: FailedProps) {
  const since = useTick(now => (failure.since === null ? '' : formatClock(failure.since, now)))
  const isGone = isMissing(failure) && isOne
  if (failure.status === 403) return <p className="muted" role="status">{frameTexts.notShown(what)}</p>
  if (isBrief && failure.status === 401) return <p className="muted" role="status">{frameTexts.notLoadedSignedOut(what)}</p>
  if (isBrief)
    return <p className="muted" role="status">
      <StatusMark mark="unknown" word={frameTexts.couldNotBeLoaded(what)} />{isFinal(failure)
        ? `: ${failure.message.replace(/\.?$/, '.')}`
        : `; ${frameTexts.retrying}`}
    </p>
  return (
    <div className="state" role="status">
      <p className="state-title">
        <StatusMark
          mark="failed"
          word={failure.status === 401
            ? frameTexts.youAreSignedOut
            : isGone ? frameTexts.doesNotExist(what) : frameTexts.couldNotBeLoaded(what)}
        />
      </p>
      <p>
        <bdi>{failure.message.replace(/\.?$/, '.')}</bdi> {!isGone && since !== '' && frameTexts.seenSince(since)}{failure.code === REFUSED &&
          ` ${frameTexts.loadsOnceFixed}`}
      </p>
      {failure.requestId && <p>{frameTexts.requestId} <code>{failure.requestId}</code></p>}
      {failure.status === 401
        ? <SignInAgain />
        : onRetry && !isGone && failure.code !== REFUSED && <button type="button" className="button" onClick={onRetry}>
          {frameTexts.tryAgain}
        </button>}
    </div>
  )
}

/** Says that the data shown is not current, and its time. */
export function Stale({ failure, updatedAt }: { failure: Failure | null; updatedAt: number }) {
  const from = useTick(now => formatClock(updatedAt, now))
  if (!failure || updatedAt === 0) return null
  return <span className="stale" title={failure.message}>{frameTexts.from(from)}</span>
}

/** An empty state: what it means, and the next step. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="state">
      <p className="state-title">{title}</p>
      {children}
    </div>
  )
}

/** Placeholders for rows that are loading. */
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

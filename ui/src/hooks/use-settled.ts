import { useRef, useState } from 'react'
import { beginningsOfView, createBeginnings } from '../format/health/beginnings.ts'
import { isMissing } from '../format/health/final-failure.ts'
import { currentTime, toServerTime } from '../format/time/clock.ts'
import { withLocalTimes } from '../format/time/time.ts'
import type { Seen } from '../format/health/seen.ts'

export interface Failure {
  readonly status: number
  /** Its times are in the reader's zone. */
  readonly message: string
  readonly requestId: string | null
  /** Stable, for example INVALID_SEARCH. */
  readonly code: string
  /** What is wrong with the input, if the input is the reason. */
  readonly fields: ReadonlyArray<{ readonly pointer: string; readonly message: string; readonly position?: number }>
  /** When it began to fail; null if it already failed at the first request. */
  readonly since: number | null
}

export interface Settled<T> {
  readonly data: T | undefined
  /** Why the newest response is missing; `data`, if any, is then from `updatedAt`. */
  readonly failure: Failure | null
  readonly updatedAt: number
  readonly retry: () => void
}

interface Result<T> {
  readonly data: T | undefined
  readonly error: unknown
  readonly status: 'pending' | 'error' | 'success'
  readonly dataUpdatedAt: number
  readonly isPlaceholderData?: boolean
  readonly refetch: () => unknown
}

const shared = createBeginnings()

/** The outcome of a polled query without flicker: a failure stays until a response replaces it. */
export function useSettled<T>(result: Result<T>): Settled<T> {
  const failing = useRef<Failure | null>(null)
  const [beginnings] = useState(() => beginningsOfView(shared))
  const updatedAt = result.dataUpdatedAt === 0 ? 0 : toServerTime(result.dataUpdatedAt)
  if (result.status === 'success') {
    if (failing.current !== null) beginnings.end(failing.current.code)
    failing.current = null
  }
  if (result.status === 'error') {
    const { status, message, requestId, code = 'UNKNOWN', fields } = result.error as Partial<Failure> & { message: string }
    const now = currentTime()
    failing.current = {
      status: status ?? 0, message: withLocalTimes(message, now), requestId: requestId ?? null, code, fields: fields ?? [],
      since: beginnings.since(code, now, updatedAt === 0 ? null : updatedAt)
    }
  }
  // Data of a deleted object is not merely old, so it is not shown.
  const data = failing.current !== null && isMissing(failing.current) ? undefined : result.data
  return { data, failure: failing.current, updatedAt, retry: () => { result.refetch() } }
}

/**
 * Input of the verdict: a response, or why there is none.
 * @param reason why a response without a value is of no use
 */
export function toSeen<T, Value>(
  { data, failure, updatedAt }: Settled<T>, toValue: (data: T) => Value | null, reason?: string
): Seen<Value> {
  if (failure?.status === 403) return { state: 'forbidden' }
  const value = data === undefined ? null : toValue(data)
  if (failure) return { state: 'stale', value, at: updatedAt, since: failure.since, message: failure.message }
  if (value === null) return { state: 'unknown', ...(data !== undefined && reason !== undefined ? { reason } : {}) }
  return { state: 'known', value, at: updatedAt }
}

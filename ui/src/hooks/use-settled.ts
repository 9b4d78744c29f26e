import { useRef } from 'react'

export interface Failure {
  readonly status: number
  readonly message: string
  readonly requestId: string | null
  /** Stable, for example INVALID_SEARCH. */
  readonly code: string
  /** What is wrong with the input, if that is why. */
  readonly fields: ReadonlyArray<{ readonly pointer: string; readonly message: string; readonly position?: number }>
  /** When it was first seen failing. */
  readonly since: number
}

export interface Settled<T> {
  readonly data: T | undefined
  /** Why the newest answer is missing; `data`, if any, is then from `updatedAt`. */
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

/** The outcome of a polled query without the flicker: a failure stays until an answer replaces it. */
export function useSettled<T>(result: Result<T>): Settled<T> {
  const failing = useRef<Failure | null>(null)
  if (result.status === 'success') failing.current = null
  if (result.status === 'error') {
    const { status, message, requestId, code, fields } = result.error as Partial<Failure> & { message: string }
    failing.current = { status: status ?? 0, message, requestId: requestId ?? null, code: code ?? 'UNKNOWN', fields: fields ?? [], since: failing.current?.since ?? Date.now() }
  }
  return { data: result.data, failure: failing.current, updatedAt: result.dataUpdatedAt, retry: () => { result.refetch() } }
}

import { newRequestKey } from '../format/places/request-key.ts'
import { ApiError } from './request.ts'

/** What a person asked for and has no answer to yet: its key stays the same until one is known, however often it is sent. */
interface Intention {
  readonly key: string
  readonly reason: string | undefined
  /** Why its outcome is unknown, after it was sent without an answer. */
  readonly doubt: string | null
}
const open = new Map<string, Intention>()

/** Codes of 5xx answers that say that nothing happened. */
const NOTHING_HAPPENED = new Set([
  'BROKER_UNAVAILABLE', 'BACKEND_UNAVAILABLE', 'NOT_STARTED', 'ALREADY_STOPPED', 'AUTHORIZE_FAILED', 'IDENTIFY_FAILED', 'SCOPE_FAILED'
])
const IN_PROGRESS = 'IDEMPOTENCY_KEY_IN_PROGRESS'
const IN_PROGRESS_WAIT_MS = 1_000
/** A write is answered within 14 seconds, or not at all. */
const MAX_ASKED_IN_PROGRESS = 15

/** It may have happened, or may yet happen: the server did not answer, something in between did, or the server does not know. */
export function isUnconfirmed(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false
  return error.status === 0 || error.code === 'NOT_JSON' || error.code === IN_PROGRESS ||
    (error.status >= 500 && !NOTHING_HAPPENED.has(error.code))
}

/**
 * Sends it under the key of its intention, with the reason given first. So sending it twice is the same request, which happens once.
 * @param asked the reason; undefined if there is none
 */
export async function carryOut<T>(
  name: string, asked: string | undefined, send: (sent: Pick<Intention, 'key' | 'reason'>) => Promise<T>
): Promise<T> {
  const { key, reason } = open.get(name) ?? { key: newRequestKey(), reason: asked }
  open.set(name, { key, reason, doubt: null })
  for (let tries = 1; ; tries++) {
    try {
      const answer = await send({ key, reason })
      open.delete(name)
      return answer
    } catch (error) {
      if (error instanceof ApiError && error.code === IN_PROGRESS && tries < MAX_ASKED_IN_PROGRESS) {
        await new Promise(resolve => { setTimeout(resolve, IN_PROGRESS_WAIT_MS) })
        continue
      }
      if (isUnconfirmed(error)) open.set(name, { key, reason, doubt: (error as ApiError).message })
      else open.delete(name)
      throw error
    }
  }
}

/** Why the outcome of the last request is unknown; null if it is not in doubt. */
export function doubtOf(name: string): string | null {
  return open.get(name)?.doubt ?? null
}

/** The person gives it up: the next request is a new one. */
export function letBe(name: string): void {
  open.delete(name)
}

import { newRequestKey } from '../format/places/request-key.ts'
import { ApiError } from './request.ts'

/** An action of a user whose outcome is not known yet. It keeps its key until then, however often the request is sent. */
interface Intention {
  readonly key: string
  readonly reason: string | undefined
  /** Why its outcome is unknown, after the request has failed without a clear response. */
  readonly doubt: string | null
}
const open = new Map<string, Intention>()

/** Codes of 5xx responses that mean that nothing happened. */
const NOTHING_HAPPENED = new Set([
  'BROKER_UNAVAILABLE', 'BACKEND_UNAVAILABLE', 'NOT_STARTED', 'ALREADY_STOPPED', 'AUTHORIZE_FAILED', 'IDENTIFY_FAILED', 'SCOPE_FAILED'
])
const IN_PROGRESS = 'IDEMPOTENCY_KEY_IN_PROGRESS'
const IN_PROGRESS_WAIT_MS = 1_000
/** A write gets a response within 14 seconds, or not at all. */
const MAX_ASKED_IN_PROGRESS = 15

/**
 * Whether the action may have happened, or may still happen: the server did not respond, something in front of it responded instead, or the
 * server does not know.
 */
export function isUnconfirmed(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false
  return error.status === 0 || error.code === 'NOT_JSON' || error.code === IN_PROGRESS ||
    (error.status >= 500 && !NOTHING_HAPPENED.has(error.code))
}

/**
 * Sends a request with the key of its intention and the reason that was given first. So a repetition is the same request, which the server
 * carries out once.
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

/** Gives up an action with an unknown outcome, so that the next request is a new one. */
export function letBe(name: string): void {
  open.delete(name)
}

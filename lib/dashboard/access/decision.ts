import { withDeadline } from '../../time/deadline.ts'
import { statusOf } from '../http/error-handler.ts'

/** How long the host may take to decide. A request must not wait forever, because it holds a connection. */
export const DECISION_DEADLINE_MS = 5_000

/**
 * Whether the host's callback returned `true`. Anything else denies: a forgotten return, a truthy object or a string must not grant access.
 * Rejects with whatever the callback throws or rejects with, and after the deadline.
 */
export async function isGranted(decide: () => unknown): Promise<boolean> {
  const said = decide()
  // A timer costs more than a synchronous decision.
  if (typeof said !== 'object' && typeof said !== 'function') return said === true
  const decided: unknown = await withDeadline(Promise.resolve(said), DECISION_DEADLINE_MS, 'authorize did not decide')
  return decided === true
}

/**
 * What to throw when a callback of the host threw. A status of 4xx is the host's decision, such as 401 for an expired token, so it is kept.
 * The message of the host's error may contain anything, so it is dropped.
 * @param otherwise the error for anything else
 */
export function refusalOfHost(callback: 'authorize' | 'identify' | 'scope', reason: unknown, otherwise: Error): Error {
  const status = statusOf(reason)
  return status >= 400 && status < 500
    ? Object.assign(new Error(`${callback} refused`, { cause: reason }), { statusCode: status })
    : otherwise
}

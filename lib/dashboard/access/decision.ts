import { withDeadline } from '../../time/deadline.ts'

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

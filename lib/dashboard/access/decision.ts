import { withDeadline } from '../../time/deadline.ts'

/** How long the host may take to decide. Nobody waits for ever at a door, and what waits holds its connection. */
export const DECISION_DEADLINE_MS = 5_000

/**
 * Whether the host's callback said `true`. Nothing else opens: a forgotten return, a truthy object or a string must not.
 * Rejects with what the callback throws or rejects with, whatever that is, and when it takes longer than the deadline.
 */
export async function isGranted(decide: () => unknown): Promise<boolean> {
  const said = decide()
  // A timer costs more than a decision that is made at once.
  if (typeof said !== 'object' && typeof said !== 'function') return said === true
  const decided: unknown = await withDeadline(Promise.resolve(said), DECISION_DEADLINE_MS, 'authorize did not decide')
  return decided === true
}

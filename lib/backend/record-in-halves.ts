import type { FinishedExecution } from '../execution.ts'
import type { ResultBackend } from './result-backend.ts'

export interface Recorded {
  /** How many were new. */
  readonly added: number
  /** Whether any of them was accepted. */
  readonly isTaken: boolean
  /** Why the first of those that were not accepted was not; null when all were. */
  readonly refusal: unknown
}

/** What is refused is refused at once; what takes longer is not told by the size of the batch. */
const REFUSED_WITHIN_MS = 1_000

/**
 * What is refused does not keep the rest of its batch from being recorded: halves, until it is alone. Rejects when the backend took
 * its time to refuse, or when `isStopped`.
 */
export async function recordInHalves(
  backend: Pick<ResultBackend, 'record'>, executions: readonly FinishedExecution[], isStopped: () => boolean
): Promise<Recorded> {
  if (executions.length === 0) return { added: 0, isTaken: true, refusal: null }
  const begun = Date.now()
  try {
    return { added: await backend.record(executions), isTaken: true, refusal: null }
  } catch (error) {
    if (isStopped() || Date.now() - begun > REFUSED_WITHIN_MS) throw error
    if (executions.length === 1) return { added: 0, isTaken: false, refusal: error }
  }
  const middle = Math.floor(executions.length / 2)
  const one = await recordInHalves(backend, executions.slice(0, middle), isStopped)
  const other = await recordInHalves(backend, executions.slice(middle), isStopped)
  return { added: one.added + other.added, isTaken: one.isTaken || other.isTaken, refusal: one.refusal ?? other.refusal }
}

import { isKey } from '../../backend/entry/ledger-entry.ts'
import type { ResultBackend } from '../../backend/result-backend.ts'
import type { ExecutionRemoval } from '../../errors.ts'
import { HOUR_MS } from '../../time/units.ts'
import { timeOfExecutionId } from './executions/execution-id.ts'

/**
 * Retention remembers removed executions that the broker may still have: those of the last two hours, plus the time between two sweeps. So
 * if it pruned nothing that recent, whatever is remembered was deleted by someone.
 */
const REMEMBERED_MS = 3 * HOUR_MS

/** See `Monitoring.removalOf`. */
export async function readRemoval(
  backend: Pick<ResultBackend, 'kept' | 'missing'>, executionId: string, now = Date.now()
): Promise<ExecutionRemoval | null> {
  const madeAt = timeOfExecutionId(executionId)
  const [prunedBefore, isKnown] = await Promise.all([
    madeAt === null ? null : backend.kept().then(kept => kept.prunedBefore), isRemembered(backend, executionId)
  ])
  const pruned = madeAt !== null && prunedBefore !== null && madeAt <= prunedBefore ? { prunedBefore } : null
  if (pruned !== null && pruned.prunedBefore > now - REMEMBERED_MS) return pruned
  return isKnown ? 'deleted' : pruned
}

/** Whether an execution that is not in the history was removed so recently that one with its id would not be recorded. */
export async function isRemembered(backend: Pick<ResultBackend, 'missing'>, executionId: string): Promise<boolean> {
  // An id that cannot be recorded is never missing.
  return isKey(executionId) && (await backend.missing([executionId])).length === 0
}

import { isKey } from '../../backend/entry/ledger-entry.ts'
import type { ResultBackend } from '../../backend/result-backend.ts'
import type { ExecutionRemoval } from '../../errors.ts'
import { timeOfExecutionId } from './executions/execution-id.ts'

/** See `Monitoring.removalOf`. */
export async function readRemoval(
  backend: Pick<ResultBackend, 'kept' | 'missing'>, executionId: string
): Promise<ExecutionRemoval | null> {
  const madeAt = timeOfExecutionId(executionId)
  if (madeAt !== null) {
    const { prunedBefore } = await backend.kept()
    if (prunedBefore !== null && madeAt <= prunedBefore) return { prunedBefore }
  }
  return await isRemembered(backend, executionId) ? 'deleted' : null
}

/** Whether an execution that is not in the history was removed so recently that one with its id would not be recorded. */
export async function isRemembered(backend: Pick<ResultBackend, 'missing'>, executionId: string): Promise<boolean> {
  // An id that cannot be recorded is never missing.
  return isKey(executionId) && (await backend.missing([executionId])).length === 0
}

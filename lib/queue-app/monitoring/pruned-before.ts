import type { ResultBackend } from '../../backend/result-backend.ts'
import { timeOfExecutionId } from './executions/execution-id.ts'

/** See `Monitoring.prunedBefore`. */
export async function readPrunedBefore(backend: Pick<ResultBackend, 'kept'>, executionId: string): Promise<number | null> {
  const madeAt = timeOfExecutionId(executionId)
  if (madeAt === null) return null
  const { prunedBefore } = await backend.kept()
  return prunedBefore !== null && madeAt <= prunedBefore ? prunedBefore : null
}

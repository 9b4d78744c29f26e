import { createMissingExecutionError, type ExecutionRemoval } from '../../errors.ts'
import type { ExecutionDetail } from '../../execution.ts'

/** Finds the execution that a write refers to. */
export interface ExecutionLookup {
  /** As shown in the dashboard. */
  find(executionId: string): Promise<ExecutionDetail | null>
  removalOf(executionId: string): Promise<ExecutionRemoval | null>
}

/** Rejects with EXECUTION_NOT_FOUND, EXECUTION_PRUNED or EXECUTION_DELETED if it is not there. */
export async function findExecution({ find, removalOf }: ExecutionLookup, executionId: string): Promise<ExecutionDetail> {
  const execution = await find(executionId)
  if (execution === null) throw createMissingExecutionError(executionId, await removalOf(executionId))
  return execution
}

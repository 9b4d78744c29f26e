import type { ResultBackend } from '../../backend/result-backend.ts'
import type { Engine } from '../../engine/engine.ts'
import { createMissingExecutionError, createTaskDashboardError } from '../../errors.ts'
import type { FinishedReference } from '../../execution.ts'
import { confirmed, isStoreFailure } from '../../stores/failures/unavailable.ts'
import { findExecution, type ExecutionLookup } from './find-execution.ts'
import type { ExecutionIdentity } from './operations.ts'

interface DeletionDependencies {
  /** Reads are as shown in the dashboard: redacted. */
  readonly engine: Pick<Engine, 'readFinished' | 'removeFinished'>
  readonly backend: Pick<ResultBackend, 'record' | 'missing' | 'deleteExecutions'>
}

interface DeleteDependencies extends DeletionDependencies, ExecutionLookup {}

/** See `Operations.deleteExecution`. */
export function createDeleteExecution({ find, removalOf, ...dependencies }: DeleteDependencies) {
  const deleteExecutions = createDeleteExecutions(dependencies)
  return async (executionId: string): Promise<ExecutionIdentity> => {
    const { taskName, status, state, finishedAt } = await findExecution({ find, removalOf }, executionId)
    if (finishedAt === null || status === 'pending' || status === 'running') throw createTaskDashboardError('NOT_DELETABLE', [state])
    const deleted = await deleteExecutions([{ executionId, taskName, status, finishedAt }])
    // Someone else has deleted it in the meantime.
    if (deleted.length === 0) throw createMissingExecutionError(executionId, 'deleted')
    return { executionId, taskName }
  }
}

/**
 * Deletes finished executions: first from the broker, then from the history. If it fails in between, they are still shown, and deleting
 * them again is safe. Executions that the history does not have yet are recorded first, so that they count. At most
 * `MAX_DELETIONS_PER_CALL`.
 * @returns the ids that were deleted; the others were deleted before
 */
export function createDeleteExecutions({ engine, backend }: DeletionDependencies) {
  return async (executions: readonly FinishedReference[]): Promise<string[]> => {
    const ids = executions.map(each => each.executionId)
    const missing = new Set(await backend.missing(ids))
    const unrecorded = executions.filter(each => missing.has(each.executionId))
    if (unrecorded.length > 0) for await (const found of engine.readFinished(unrecorded)) await backend.record(found)
    const removed = await confirmed(() => engine.removeFinished(executions, Infinity))
    return await confirmed(() => backend.deleteExecutions(ids), 'result backend').catch((error: unknown) => {
      // The broker has already removed some, so an error that means "nothing was changed" would be wrong.
      throw removed > 0 && isStoreFailure(error) ? createTaskDashboardError('UNCONFIRMED', [], { cause: error }) : error
    })
  }
}

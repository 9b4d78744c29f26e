import { MAX_DELAY_MS, MAX_PRIORITY } from '../../../schemas/limits.ts'
import type { Engine } from '../../engine/engine.ts'
import { createTaskDashboardError, invalidInput } from '../../errors.ts'
import type { ExecutionDetail } from '../../execution.ts'
import { confirmed, isStoreFailure, unreadAfterChange } from '../../stores/failures/unavailable.ts'
import { findExecution, type ExecutionLookup } from './find-execution.ts'
import type { ExecutionChanges } from './operations.ts'

interface UpdateDependencies extends ExecutionLookup {
  readonly engine: Pick<Engine, 'change'>
}

/** See `Operations.updateExecution`. */
export function createUpdateExecution({ engine, ...lookup }: UpdateDependencies) {
  return async (executionId: string, changes: ExecutionChanges): Promise<ExecutionDetail> => {
    checkChanges(changes)
    const before = await findExecution(lookup, executionId)
    if (before.finishedAt !== null) throw notChangeable(before.state)
    if (changes.priority === undefined && changes.dueAt === undefined) return before
    const outcome = await confirmed(() => engine.change(before.taskName, executionId, changes))
    if (outcome === 'planned') throw notChangeable('a run of a schedule. Change the schedule instead')
    if (outcome === 'in_flow') throw notChangeable('part of a BullMQ flow')
    if (outcome === 'running') throw notChangeable('active')
    const after = await findExecution(lookup, executionId).catch((error: unknown) => {
      if (outcome === 'changed' && isStoreFailure(error)) unreadAfterChange(error)
      throw error
    })
    // It has finished in the meantime.
    if (outcome === 'over') throw notChangeable(after.state)
    return after
  }
}

/** @throws INVALID_INPUT */
export function checkChanges({ priority, dueAt }: ExecutionChanges): void {
  if (priority !== undefined && !(Number.isInteger(priority) && priority >= 0 && priority <= MAX_PRIORITY))
    throw invalidInput('/priority', `must be a whole number from 0 to ${MAX_PRIORITY}`)
  if (dueAt !== undefined && !(Number.isSafeInteger(dueAt) && dueAt <= Date.now() + MAX_DELAY_MS))
    throw invalidInput('/due_at', 'must be at most a year from now')
}

function notChangeable(state: string) {
  return createTaskDashboardError('NOT_CHANGEABLE', [state])
}

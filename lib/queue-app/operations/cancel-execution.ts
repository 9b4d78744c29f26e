import type { ResultBackend } from '../../backend/result-backend.ts'
import type { Engine } from '../../engine/engine.ts'
import { createTaskDashboardError } from '../../errors.ts'
import type { Execution, ExecutionCancellation, ExecutionDetail, FinishedExecution } from '../../execution.ts'
import { confirmed } from '../../stores/failures/unavailable.ts'
import { FORGET_WITHIN_MS } from '../../time/budgets.ts'
import { withDeadline } from '../../time/deadline.ts'
import { checkReason } from './action-reason.ts'
import { findExecution, type ExecutionLookup } from './find-execution.ts'
import type { ExecutionCancel } from './operations.ts'

interface CancelDependencies extends ExecutionLookup {
  /** Reads are as shown in the dashboard: redacted. */
  readonly engine: Pick<Engine, 'cancel' | 'find'>
  readonly backend: Pick<ResultBackend, 'record'>
}

/** See `Operations.cancelExecution`. */
export function createCancelExecution({ engine, backend, ...lookup }: CancelDependencies) {
  return async (executionId: string, { reason, by = null }: ExecutionCancel = {}): Promise<Execution> => {
    const before = await findExecution(lookup, executionId)
    if (isSettled(before)) return before
    const { taskName } = before
    const cancellation: ExecutionCancellation = { requestedAt: Date.now(), requestedBy: by, reason: checkReason(reason) }
    const outcome = await confirmed(() => engine.cancel(taskName, executionId, cancellation))
    if (outcome === 'planned') throw notCancellable('a planned run of a schedule that is not due. Disable the schedule instead')
    if (outcome === 'in_flow') throw notCancellable('part of a BullMQ flow')
    if (outcome === 'requested') return { ...before, status: 'running', state: 'active', cancellation: before.cancellation ?? cancellation }
    if (outcome === 'cancelled') return await record(taskName, executionId, { ...before, cancellation })
    // It has finished in the meantime, or someone else has cancelled it.
    const after = await findExecution(lookup, executionId)
    if (isSettled(after)) return after
    throw createTaskDashboardError('UNCONFIRMED')
  }

  /** The execution is cancelled, whatever the result backend does: the broker has it, and the history's upkeep records it later. */
  async function record(taskName: string, executionId: string, known: ExecutionDetail): Promise<Execution> {
    const cancelled: ExecutionDetail = { ...known, status: 'cancelled', state: 'cancelled', error: null }
    const recording = async (): Promise<Execution> => {
      const execution = await engine.find([taskName], executionId)
      if (execution?.status !== 'cancelled') return cancelled
      await backend.record([execution as FinishedExecution])
      return execution
    }
    return await withDeadline(recording(), FORGET_WITHIN_MS, 'not recorded').catch(() => cancelled)
  }
}

/** Whether nothing is left to do, because it was cancelled. Throws if it finished in another way. */
export function isSettled(execution: Execution): boolean {
  if (execution.status === 'cancelled') return true
  if (execution.finishedAt !== null) throw notCancellable(execution.state)
  return false
}

function notCancellable(state: string) {
  return createTaskDashboardError('NOT_CANCELLABLE', [state])
}

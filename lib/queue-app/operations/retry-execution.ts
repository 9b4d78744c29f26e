import { v7 as uuid } from 'uuid'
import type { Engine } from '../../engine/engine.ts'
import type { WriteOperation } from '../../scheduler/schedules.ts'
import { createTaskDashboardError } from '../../errors.ts'
import type { ExecutionDetail } from '../../execution.ts'
import { confirmed, isStoreFailure } from '../../stores/failures/unavailable.ts'
import { checkSentArguments } from './action-arguments.ts'
import { findExecution, type ExecutionLookup } from './find-execution.ts'
import type { ExecutionRetry, MadeRetry, RetryPolicy } from './operations.ts'
import { toRetryRequest } from './retry-arguments.ts'
import { retryIdOf } from './retry-id.ts'

interface RetryDependencies extends ExecutionLookup {
  readonly engine: Pick<Engine, 'enqueue' | 'requestIdOf'>
  /** See `createRetryArguments`. */
  argumentsOf(original: ExecutionDetail): Promise<readonly unknown[]>
  /** Sent arguments, as shown in the dashboard. */
  shownArgs(taskName: string, args: readonly unknown[]): readonly unknown[]
  /** The same as `find` for an execution whose task is known. It reads only one queue from the broker. */
  findOfTask(taskName: string, executionId: string): Promise<ExecutionDetail | null>
  /** Whether the history would refuse to record an execution with this id, because one was deleted. */
  isRemembered(executionId: string): Promise<boolean>
  /** The retry policy of a task that any process has registered or declared; undefined if none has. */
  policyOf(taskName: string): Promise<RetryPolicy | undefined>
}

/** See `Operations.retryExecution`. */
export function createRetryExecution(
  { engine, argumentsOf, shownArgs, find, findOfTask, removalOf, isRemembered, policyOf }: RetryDependencies
) {
  return async (executionId: string, { args }: ExecutionRetry = {}, operation?: WriteOperation): Promise<MadeRetry> => {
    if (args !== undefined) checkSentArguments(args)
    const original = await findExecution({ find, removalOf }, executionId)
    if (original.status !== 'failed') throw createTaskDashboardError('NOT_RETRYABLE', [original.state])
    const retryId = retryIdOf(executionId)
    const { taskName } = original
    const made = { executionId: retryId, taskName, args: args === undefined ? null : shownArgs(taskName, args) }
    const [standing, isDeleted, policy] = await Promise.all([findOfTask(taskName, retryId), isRemembered(retryId), policyOf(taskName)])
    if (standing !== null) {
      // It was added by an earlier attempt of this request, or by someone else.
      if (operation?.isRepeated && await addedBy(taskName, retryId) === operation.id) return made
      throw alreadyRetried(retryId)
    }
    // The retry would run, but it would not be recorded, so no one could see how it ended.
    if (isDeleted) throw alreadyRetried(retryId)
    if (!policy) throw createTaskDashboardError('CONFLICT', [`No process registers the task "${taskName}": start one that does`])
    const wanted = args ?? await argumentsOf(original)
    const requestId = operation?.id ?? uuid()
    await confirmed(() => engine.enqueue([toRetryRequest(original, wanted, policy, requestId)]))
    if (await addedBy(taskName, retryId) !== requestId) throw alreadyRetried(retryId)
    return made
  }

  /** By now there is a retry, but it may be someone else's, with other arguments. */
  async function addedBy(taskName: string, retryId: string): Promise<string | null> {
    try {
      return await engine.requestIdOf(taskName, retryId)
    } catch (error) {
      if (!isStoreFailure(error)) throw error
      throw createTaskDashboardError('UNCONFIRMED', [], { cause: error.cause, unconfirmedIds: [retryId] })
    }
  }
}

function alreadyRetried(retryId: string) {
  return createTaskDashboardError('ALREADY_RETRIED', [retryId], { executionId: retryId })
}

import type { Engine, EnqueueRequest } from '../../engine/engine.ts'
import { createTaskDashboardError } from '../../errors.ts'
import type { ExecutionDetail } from '../../execution.ts'
import { hidesValues } from '../redaction/redaction-paths.ts'
import type { Seal } from '../redaction/seal.ts'
import type { RetryPolicy } from './operations.ts'
import { retryIdOf } from './retry-id.ts'

interface ArgumentsDependencies {
  /** Reads the broker without redaction. */
  readonly findOriginal: Engine['find']
  /** Whether the arguments in the history may differ from those that the handler got, without a trace: the option `redact.with` is set. */
  readonly mayReplaceUnseen: boolean
  readonly openSealed: Seal['open']
}

/** The request that adds the retry of an execution. */
export function toRetryRequest(
  { executionId, taskName, priority, scheduleId }: ExecutionDetail, args: readonly unknown[], { retries, backoff }: RetryPolicy,
  requestId: string
): EnqueueRequest {
  return {
    executionId: retryIdOf(executionId), taskName, args, maxAttempts: retries + 1, backoff, delayMs: 0, priority, scheduleId,
    retryOf: executionId, requestId
  }
}

/**
 * Returns the arguments as the handler got them: from the history if they are complete there, from the broker while it has them, otherwise
 * from their seal. Rejects with ARGUMENTS_NOT_KEPT.
 */
export function createRetryArguments({ findOriginal, mayReplaceUnseen, openSealed }: ArgumentsDependencies) {
  return async ({ executionId, taskName, args, truncated, sealed }: ExecutionDetail): Promise<readonly unknown[]> => {
    const isCut = truncated.includes('/args')
    const isHidden = mayReplaceUnseen || args !== null && hidesValues(JSON.stringify(args))
    // A seal shows that the recorded arguments differ, or may differ, whatever this process redacts.
    if (args !== null && !isCut && !isHidden && sealed === undefined) return args
    const inBroker = await findOriginal([taskName], executionId)
    if (inBroker !== null && inBroker.args !== null) return inBroker.args
    const opened = sealed === undefined ? null : openSealed(executionId, sealed)
    if (opened !== null && 'args' in opened) return opened.args
    throw createTaskDashboardError('ARGUMENTS_NOT_KEPT', [
      opened !== null
        ? `The broker no longer has the arguments of this execution. ${opened.problem}`
        : args === null || !isCut && !isHidden
        ? 'The arguments of this execution were not kept'
        : isCut
          ? 'Only the beginning of the arguments of this execution was kept'
          : 'The history hides some of the arguments of this execution, and the broker no longer has them'
    ])
  }
}

import type { ExecutionRetry, ExecutionRetryInput } from '../../../../schemas/execution.ts'
import type { Operations } from '../../../queue-app/operations/operations.ts'
import type { Write } from '../writing.ts'

type Operation = Parameters<Operations['retryExecution']>[2]

export type ExecutionCommands = ReturnType<typeof createExecutionCommands>

export function createExecutionCommands(operations: Operations, write: Write) {
  return {
    /** Rejects as `Operations.retryExecution`. */
    async retry(executionId: string, { args }: ExecutionRetryInput, operation: Operation): Promise<ExecutionRetry> {
      const retry = await write(() => operations.retryExecution(executionId, { ...args !== undefined && { args } }, operation))
      return { execution_id: retry.executionId, task_name: retry.taskName, retry_of: executionId }
    }
  }
}

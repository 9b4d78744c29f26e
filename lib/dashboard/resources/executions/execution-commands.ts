import type {
  ExecutionCancel, ExecutionCancelInput, ExecutionChanges, ExecutionDeleted, ExecutionDetail, ExecutionRetry, ExecutionRetryInput
} from '../../../../schemas/execution.ts'
import type { Operations } from '../../../queue-app/operations/operations.ts'
import { instantFrom } from '../instant.ts'
import { toTimestampOrNull } from '../wire-values.ts'
import type { Write } from '../writing.ts'
import { cancellingSince, toExecutionDetail } from './to-execution.ts'

type Operation = Parameters<Operations['retryExecution']>[2]

export type ExecutionCommands = ReturnType<typeof createExecutionCommands>

export function createExecutionCommands(operations: Operations, write: Write) {
  return {
    /** Rejects as `Operations.retryExecution`. */
    async retry(executionId: string, { args }: ExecutionRetryInput, operation: Operation): Promise<ExecutionRetry> {
      const retry = await write(() => operations.retryExecution(executionId, { ...args !== undefined && { args } }, operation))
      return { execution_id: retry.executionId, task_name: retry.taskName, retry_of: executionId, args: retry.args && [...retry.args] }
    },

    /** Rejects as `Operations.updateExecution`. */
    async update(executionId: string, { priority, due_at: dueAt }: ExecutionChanges): Promise<ExecutionDetail> {
      const changes = { ...priority !== undefined && { priority }, ...dueAt !== undefined && { dueAt: instantFrom(dueAt, 'due_at') } }
      return toExecutionDetail(await write(() => operations.updateExecution(executionId, changes)), [])
    },

    /** Rejects as `Operations.deleteExecution`. */
    async delete(executionId: string): Promise<ExecutionDeleted> {
      const { taskName } = await write(() => operations.deleteExecution(executionId))
      return { execution_id: executionId, task_name: taskName, deleted: true }
    },

    /** Rejects as `Operations.cancelExecution`. */
    async cancel(executionId: string, { reason }: ExecutionCancelInput, by: string | null): Promise<ExecutionCancel> {
      const execution = await write(() => operations.cancelExecution(executionId, { by, ...reason !== undefined && { reason } }))
      return {
        execution_id: execution.executionId, task_name: execution.taskName, status: execution.status, state: execution.state,
        cancelling_since: toTimestampOrNull(cancellingSince(execution))
      }
    }
  }
}

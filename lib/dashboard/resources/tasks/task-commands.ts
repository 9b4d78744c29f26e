import type { TaskRun, TaskRunInput } from '../../../../schemas/task.ts'
import type { Operations } from '../../../queue-app/operations/operations.ts'
import type { Write } from '../writing.ts'

type Operation = Parameters<Operations['runTask']>[2]

export type TaskCommands = ReturnType<typeof createTaskCommands>

export function createTaskCommands(operations: Operations, write: Write) {
  return {
    /** Rejects as `Operations.runTask`. */
    async run(taskName: string, input: TaskRunInput, operation: Operation): Promise<TaskRun> {
      const { args, priority, delay_ms: delayMs } = input
      const run = { ...args !== undefined && { args }, ...priority !== undefined && { priority }, ...delayMs !== undefined && { delayMs } }
      return { execution_id: await write(() => operations.runTask(taskName, run, operation)), task_name: taskName }
    }
  }
}

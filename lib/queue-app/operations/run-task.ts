import { v7 as uuid } from 'uuid'
import type { Engine } from '../../engine/engine.ts'
import type { WriteOperation } from '../../scheduler/schedules.ts'
import { createTaskDashboardError } from '../../errors.ts'
import { confirmed } from '../../stores/failures/unavailable.ts'
import { createEnqueueRequest } from '../enqueueing/enqueue-request.ts'
import { checkSentArguments } from './action-arguments.ts'
import type { TaskRun, RetryPolicy } from './operations.ts'

interface RunTaskDependencies {
  readonly enqueue: Engine['enqueue']
  /** The retry policy of a task that any process has registered or declared; undefined if none has. */
  policyOf(taskName: string): Promise<RetryPolicy | undefined>
  wasEnqueued(executionId: string): Promise<boolean>
}

/** See `Operations.runTask`. */
export function createRunTask({ enqueue, policyOf, wasEnqueued }: RunTaskDependencies) {
  return async (taskName: string, { args = [], priority = 0, delayMs = 0 }: TaskRun = {}, operation?: WriteOperation): Promise<string> => {
    checkSentArguments(args)
    const policy = await policyOf(taskName)
    if (!policy) throw createTaskDashboardError('TASK_NOT_FOUND', [taskName])
    const executionId = operation?.id ?? uuid()
    if (operation?.isRepeated && await wasEnqueued(executionId)) return executionId
    await confirmed(() => enqueue([{ ...createEnqueueRequest(taskName, args, { priority, delayMs }, policy), executionId }]))
    return executionId
  }
}

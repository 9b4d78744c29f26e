import type { Operations } from '../operations/operations.ts'
import type { TasksOfExistingQueues } from './tasks-of-existing-queues.ts'

interface Dependencies {
  /** For the app's own tasks. */
  readonly own: Operations
  /** For existing queues. Refuses what may not be changed. */
  readonly others: Operations
  readonly tasks: TasksOfExistingQueues
  /** Whether the caller may know about a task. Any other task is treated as one of the app's own that does not exist. */
  sees(taskName: string): boolean
  /** The task of a schedule that the caller may see; null if there is none. */
  taskOfSchedule(scheduleId: string): Promise<string | null>
}

/** The writes of a dashboard. Each goes to the operations that have the task. Bulk operations handle both, see `createBulkActions`. */
export function createCombinedOperations({ own, others, tasks, sees, taskOfSchedule }: Dependencies): Operations {
  const ofTask = (taskName: string): Operations => tasks.has(taskName) && sees(taskName) ? others : own
  const ofExecution = (executionId: string): Operations =>
    typeof executionId === 'string' && tasks.hasExecution(executionId) ? others : own
  // An existing queue has the same name as its task.
  const ofQueue = (name: string): Operations => typeof name === 'string' ? ofTask(name) : own
  const ofSchedule = async (scheduleId: string): Promise<Operations> => {
    const taskName = await taskOfSchedule(scheduleId)
    return taskName === null ? own : ofTask(taskName)
  }
  return {
    ...own,
    createSchedule: async (input, ...rest) => ofTask(input.taskName).createSchedule(input, ...rest),
    setScheduleEnabled: async (scheduleId, ...rest) => (await ofSchedule(scheduleId)).setScheduleEnabled(scheduleId, ...rest),
    updateSchedule: async (scheduleId, ...rest) => (await ofSchedule(scheduleId)).updateSchedule(scheduleId, ...rest),
    runSchedule: async (scheduleId, ...rest) => (await ofSchedule(scheduleId)).runSchedule(scheduleId, ...rest),
    deleteSchedule: async scheduleId => (await ofSchedule(scheduleId)).deleteSchedule(scheduleId),
    runTask: async (taskName, ...rest) => ofTask(taskName).runTask(taskName, ...rest),
    retryExecution: async (executionId, ...rest) => ofExecution(executionId).retryExecution(executionId, ...rest),
    cancelExecution: async (executionId, ...rest) => ofExecution(executionId).cancelExecution(executionId, ...rest),
    deleteExecution: async executionId => ofExecution(executionId).deleteExecution(executionId),
    updateExecution: async (executionId, ...rest) => ofExecution(executionId).updateExecution(executionId, ...rest),
    pauseQueue: async (name, ...rest) => ofQueue(name).pauseQueue(name, ...rest),
    resumeQueue: async name => ofQueue(name).resumeQueue(name),
    limitQueue: async (name, ...rest) => ofQueue(name).limitQueue(name, ...rest)
  }
}

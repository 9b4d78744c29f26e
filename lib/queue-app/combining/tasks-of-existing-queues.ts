import { queueTaskOf } from '../../engine/observing/job-task.ts'
import { isObservedId } from '../../engine/observing/observed-id.ts'

/** Which tasks of an app are existing queues, or names of their jobs. All others are its own. */
export interface TasksOfExistingQueues {
  has(taskName: string): boolean
  /** Whether an id can only belong to an execution of an existing queue. */
  hasExecution(executionId: string): boolean
}

export function createTasksOfExistingQueues(queueOf: (taskName: string) => object | undefined): TasksOfExistingQueues {
  return {
    has: taskName => queueOf(queueTaskOf(taskName)) !== undefined,
    hasExecution: isObservedId
  }
}

/** The ids of planned runs begin with this word, so an existing queue cannot have this name. */
const OF_PLANNED_RUNS = 'repeat'

/**
 * Finds the queue tasks that would be mistaken for the app's own: the part of a name before the first colon decides whose it is.
 * @param queueNameOf the name of the queue of one of the app's tasks
 */
export function isTakenBy(ownTasks: Iterable<string>, queueNameOf: (taskName: string) => string): (queueTask: string) => boolean {
  const taken = new Set([OF_PLANNED_RUNS])
  for (const taskName of ownTasks) taken.add(queueTaskOf(taskName)).add(queueNameOf(taskName))
  return queueTask => taken.has(queueTask)
}

/** Splits a list in two: the app's own items and those of existing queues. */
export function split<Item>(items: readonly Item[], isOthers: (item: Item) => boolean): { readonly own: Item[]; readonly others: Item[] } {
  const parts = { own: [] as Item[], others: [] as Item[] }
  for (const item of items) parts[isOthers(item) ? 'others' : 'own'].push(item)
  return parts
}

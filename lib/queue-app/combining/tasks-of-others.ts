import { queueTaskOf } from '../../engine/observing/job-task.ts'
import { isObservedId } from '../../engine/observing/observed-id.ts'

/** Which tasks of an app are existing queues, or names of their jobs. All others are its own. */
export interface TasksOfOthers {
  has(taskName: string): boolean
  /** Whether an execution with this id can only be one of theirs. */
  hasExecution(executionId: string): boolean
}

export function createTasksOfOthers(queueOf: (taskName: string) => object | undefined): TasksOfOthers {
  return {
    has: taskName => queueOf(queueTaskOf(taskName)) !== undefined,
    hasExecution: isObservedId
  }
}

/** Ids of planned runs begin with this, so an existing queue cannot have this name. */
const OF_PLANNED_RUNS = 'repeat'

/**
 * Which tasks of queues would be taken for those of the app: the part of a name before the first colon tells whose it is.
 * @param queueNameOf the name of the queue of one of the app's tasks
 */
export function isTakenBy(ownTasks: Iterable<string>, queueNameOf: (taskName: string) => string): (queueTask: string) => boolean {
  const taken = new Set([OF_PLANNED_RUNS])
  for (const taskName of ownTasks) taken.add(queueTaskOf(taskName)).add(queueNameOf(taskName))
  return queueTask => taken.has(queueTask)
}

/** A list of names in two: the app's own and those of others. */
export function split<Item>(items: readonly Item[], isOthers: (item: Item) => boolean): { readonly own: Item[]; readonly others: Item[] } {
  const parts = { own: [] as Item[], others: [] as Item[] }
  for (const item of items) parts[isOthers(item) ? 'others' : 'own'].push(item)
  return parts
}

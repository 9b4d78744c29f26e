import { queueNameFromTask } from '../jobs/queue-name.ts'

/** The requested queues: their names, and a test for whether a queue is one of them. */
export interface QueueSelection {
  readonly names: readonly string[]
  /**
   * With few queues, each one is read directly, which is as cheap as an index. With more, the names are not sent: everything in the index
   * is read and filtered by `has`.
   */
  readonly isFew: boolean
  has(queueName: string): boolean
}

const MAX_READ_DIRECTLY = 50

/** Cached per list of tasks: callers that ask for all tasks pass the same list for a while. */
const selections = new WeakMap<readonly string[], QueueSelection>()

export function selectQueues(taskNames: readonly string[]): QueueSelection {
  const known = selections.get(taskNames)
  if (known !== undefined) return known
  const names = taskNames.map(queueNameFromTask)
  const selection = selectNames(names)
  selections.set(taskNames, selection)
  return selection
}

export function selectNames(names: readonly string[]): QueueSelection {
  let set: ReadonlySet<string> | undefined
  return { names, isFew: names.length <= MAX_READ_DIRECTLY, has: queueName => (set ??= new Set(names)).has(queueName) }
}

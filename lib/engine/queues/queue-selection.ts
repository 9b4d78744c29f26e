import { queueNameFromTask } from '../jobs/queue-name.ts'

/** Queues that are asked for: by their names, and by what tells of one that was found whether it is among them. */
export interface QueueSelection {
  readonly names: readonly string[]
  /**
   * So few are looked at themselves, which costs as little as an index. More names are not sent: what is held is read, and picked from by
   * `has`.
   */
  readonly isFew: boolean
  has(queueName: string): boolean
}

const FEW = 50

/** Made once for a list of tasks: whoever asks for all of them gives the same list for a while. */
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
  return { names, isFew: names.length <= FEW, has: queueName => (set ??= new Set(names)).has(queueName) }
}

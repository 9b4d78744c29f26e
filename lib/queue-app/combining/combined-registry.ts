import { isStoreFailure } from '../../stores/failures/unavailable.ts'
import type { ShownRegistry } from '../scope/scoped-registry.ts'
import { ONLY_ITSELF } from '../tasks/parts-of-tasks.ts'
import type { KnownTask } from '../tasks/known-task.ts'
import type { TasksOfExistingQueues } from './tasks-of-existing-queues.ts'

/** The app's own tasks and processes, and existing queues as tasks. While the app's broker is down, the last known tasks are used. */
export function createCombinedRegistry(own: ShownRegistry, others: ShownRegistry, tasks: TasksOfExistingQueues): ShownRegistry {
  const lastOwn = rememberLast(async () => {
    const [list, names] = await Promise.all([own.tasks(), own.taskNames()])
    return { list, names }
  })
  let combined: { readonly own: readonly string[]; readonly others: readonly string[]; readonly all: readonly string[] } | null = null

  /** The same array while nothing changes. */
  function join(ofOwn: readonly string[], ofOthers: readonly string[]): readonly string[] {
    if (combined?.own !== ofOwn || combined.others !== ofOthers)
      combined = { own: ofOwn, others: ofOthers, all: [...ofOwn, ...ofOthers].sort((one, other) => one < other ? -1 : 1) }
    return combined.all
  }

  return {
    knowsWorkers: own.knowsWorkers,
    async tasks() {
      const [{ list }, ofOthers] = await Promise.all([lastOwn(), others.tasks()])
      return [...list, ...ofOthers].sort((one: KnownTask, other: KnownTask) => one.name < other.name ? -1 : 1)
    },
    async taskNames() {
      const [{ names }, ofOthers] = await Promise.all([lastOwn(), others.taskNames()])
      return join(names, ofOthers)
    },
    task: async name => tasks.has(name) ? others.task(name) : own.task(name),
    covered: taskName => tasks.has(taskName) ? (others.covered ?? ONLY_ITSELF)(taskName) : [taskName],
    registeredTasks: own.registeredTasks,
    declaredTasks: own.declaredTasks,
    processes: own.processes,
    workers: own.workers,
    workersByTask: own.workersByTask,
    async recent() {
      const [recent, ofOthers] = await Promise.all([own.recent(), others.taskNames()])
      return { ...recent, taskNames: join(recent.taskNames, ofOthers) }
    }
  }
}

function rememberLast<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let last: { readonly value: Value } | null = null
  return async () => {
    try {
      const value = await read()
      last = { value }
      return value
    } catch (error) {
      if (last === null || !isStoreFailure(error)) throw error
      return last.value
    }
  }
}

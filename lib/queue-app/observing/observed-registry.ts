import type { Discovery, SeenQueue } from '../../engine/observing/discovery.ts'
import { queueTaskOf } from '../../engine/observing/job-task.ts'
import { createTaskDashboardError } from '../../errors.ts'
import type { ShownRegistry } from '../scope/scoped-registry.ts'
import { toExternalTask, type ExternalTask } from '../tasks/known-task.ts'
import type { JobNames } from './names/job-names.ts'

/**
 * Shows observed queues as tasks, and also the names of their jobs if a queue has several. Nothing is published: each process finds the
 * queues by itself.
 */
export function createObservedRegistry(
  discovery: Pick<Discovery, 'queues' | 'taskNames' | 'queueOf'>, names: Pick<JobNames, 'tasksOf' | 'revision'>
): ShownRegistry {
  const none = async () => new Set<string>()
  let known: { readonly of: readonly string[]; readonly revision: number; readonly taskNames: readonly string[] } | null = null

  /** The same array while nothing changes. */
  function taskNames(): readonly string[] {
    const [of, revision] = [discovery.taskNames(), names.revision()]
    if (known?.of !== of || known.revision !== revision) {
      known = { of, revision, taskNames: of.flatMap(covered).sort((one, other) => one < other ? -1 : 1) }
    }
    return known.taskNames
  }

  function covered(taskName: string): readonly string[] {
    return [taskName, ...names.tasksOf(taskName).map(task => task.taskName)]
  }

  function tasksOf(queue: SeenQueue): readonly ExternalTask[] {
    const { taskName, lastSeenAt } = queue
    return [
      toExternalTask({ ...queue, partOf: null }),
      ...names.tasksOf(taskName).map(task => toExternalTask({ ...task, lastSeenAt, partOf: taskName }))
    ]
  }

  return {
    knowsWorkers: false,
    tasks: async () => discovery.queues().flatMap(tasksOf).sort((one, other) => one.name < other.name ? -1 : 1),
    taskNames: async () => taskNames(),
    async task(name) {
      const queue = discovery.queueOf(queueTaskOf(name))
      return queue && tasksOf(queue).find(task => task.name === name)
    },
    covered,
    registeredTasks: none,
    declaredTasks: none,
    processes: async () => [],
    workers: async () => [],
    workersByTask: async () => new Map(),
    recent: async () => ({ taskNames: taskNames(), processes: [] })
  }
}

/** The error for every call that only the owner's code could carry out. */
export function observedOnly(what: string): Error {
  return createTaskDashboardError('OBSERVED_ONLY', [what])
}

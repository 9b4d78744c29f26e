import type { Discovery } from '../../engine/observing/discovery.ts'
import { createTaskDashboardError } from '../../errors.ts'
import type { ShownRegistry } from '../scope/scoped-registry.ts'
import { toExternalTask } from '../tasks/known-task.ts'

/** Observed queues as tasks. Nothing is published: each process finds them by itself. */
export function createObservedRegistry(discovery: Pick<Discovery, 'queues' | 'taskNames' | 'queueOf'>): ShownRegistry {
  const none = async () => new Set<string>()
  return {
    knowsWorkers: false,
    tasks: async () => discovery.queues().map(toExternalTask),
    taskNames: async () => discovery.taskNames(),
    async task(name) {
      const queue = discovery.queueOf(name)
      return queue && toExternalTask(queue)
    },
    registeredTasks: none,
    declaredTasks: none,
    processes: async () => [],
    workers: async () => [],
    workersByTask: async () => new Map(),
    recent: async () => ({ taskNames: discovery.taskNames(), processes: [] })
  }
}

/** For every call that other code would have to make. */
export function observedOnly(what: string): Error {
  return createTaskDashboardError('OBSERVED_ONLY', [what])
}

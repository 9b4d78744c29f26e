import type { ResultBackend } from '../../backend/result-backend.ts'
import { createTaskDashboardError } from '../../errors.ts'
import type { Engine } from '../../engine/engine.ts'
import { queueTaskOf } from '../../engine/observing/job-task.ts'
import type { Schedules } from '../../scheduler/schedules.ts'
import type { Store } from '../../stores/store.ts'
import type { ExistingQueuesInBulk } from '../bulk/bulk-of-existing-queues.ts'
import type { Observing } from '../monitoring/health.ts'
import type { Monitoring } from '../monitoring/monitoring.ts'
import { observeQueues, redactByQueue } from '../observing/observe-queues.ts'
import { clashText, clashWith, refuseOwnQueues, type ResolvedQueues } from '../observing/resolve-observe-options.ts'
import { observedOnly } from '../observing/observed-registry.ts'
import type { Operations } from '../operations/operations.ts'
import type { ResolvedQueueAppOptions } from '../options.ts'
import { createRedaction } from '../redaction/redaction.ts'
import { createScope } from '../scope/scope.ts'
import type { ShownRegistry } from '../scope/scoped-registry.ts'
import { createCombinedEngine, type CombinedEngine } from './combined-engine.ts'
import { createCombinedOperations } from './combined-operations.ts'
import { createCombinedRegistry } from './combined-registry.ts'
import { createCombinedSchedules } from './combined-schedules.ts'
import { createTasksOfExistingQueues, isTakenBy } from './tasks-of-existing-queues.ts'

/** The parts of an app that dashboards and bulk operations use. */
export interface ShownParts {
  /** Reads as shown in the dashboard. */
  readonly engine: CombinedEngine
  readonly enqueue: Engine['enqueue']
  readonly schedules: Schedules
  readonly registry: ShownRegistry
  /** Returns arguments that someone sent, as shown in the dashboard. */
  shownArgs(taskName: string, args: readonly unknown[]): readonly unknown[]
}

export interface OwnParts extends ShownParts {
  readonly broker: Store
  readonly resultStore: Store
  /** The history of `resultStore`. */
  readonly backend: ResultBackend
  /** Names of the tasks of this process, and of those for which it declares schedules. */
  localTasks(): readonly string[]
  /** Identifies this process. */
  readonly holder: string
}

/** Existing queues together with the tasks of an app. */
export interface Combined {
  /** The parts for both: the app's own tasks and the existing queues. */
  readonly shown: ShownParts
  readonly observing: Observing
  /**
   * The writes for both.
   * @param isVisible default: every task is visible
   */
  operationsOf(own: Operations, shown: Monitoring, isVisible?: (taskName: string) => boolean): Operations
  /** @param shown the reads for both */
  othersInBulk(shown: () => Monitoring): ExistingQueuesInBulk
  /**
   * @param what what the app does not do for existing queues, as the end of a sentence
   * @throws OBSERVED_ONLY for a task of an existing queue
   */
  refuse(taskName: string, what: string): void
  /** @throws INVALID_TASK if an existing queue has the name of a task */
  checkName(taskName: string): void
  recordingProblem(): string | null
  /** Opens the connections. The app's stores must be open, and its tasks published. Rejects like `QueueApp.start`. */
  open(): Promise<void>
  /** Ends a first search that `open` waits for, because the app stops. */
  abortSearch(): void
  /** Starts recording. */
  start(): Promise<void>
  /** Idempotent; never rejects. */
  stop(): Promise<void>
}

/** Adds existing queues to the parts of an app. Opens nothing yet. Throws INVALID_OPTIONS if they are queues of the app itself. */
export function assembleCombined(queues: ResolvedQueues, options: ResolvedQueueAppOptions, own: OwnParts): Combined {
  const { onError } = options
  const { broker, resultStore } = own
  refuseOwnQueues(queues.sources, broker)
  const { paths, with: replace, seal } = options.redact
  const redaction = paths?.length || replace || seal
    ? createRedaction(redactByQueue(options.redact), onError, options.retention.failed?.argsBytes)
    : null
  const { documents } = resultStore
  let published: readonly string[] = []
  const observed = observeQueues(queues.sources, queues, {
    resultStore, backend: own.backend, redaction, holder: own.holder, needsClaim: true, onError,
    // The upkeep of the app's own history has leases with the same names.
    leases: {
      acquireLease: (name, ...rest) => documents.acquireLease(`queues:${name}`, ...rest),
      releaseLease: (name, ...rest) => documents.releaseLease(`queues:${name}`, ...rest)
    },
    async taken() {
      // While the broker is down, the last known names are used.
      published = await own.registry.taskNames().catch(() => published)
      return isTakenBy([...published, ...own.localTasks()], own.engine.queueOf)
    }
  })
  const tasks = createTasksOfExistingQueues(observed.discovery.queueOf)
  const schedules = createCombinedSchedules(own.schedules, observed.schedules, tasks)
  const shown: ShownParts = {
    engine: createCombinedEngine(own.engine, observed.engine, tasks),
    async enqueue(requests) {
      for (const { taskName } of requests) refuse(taskName, 'it adds no executions')
      return own.enqueue(requests)
    },
    schedules,
    registry: createCombinedRegistry(own.registry, observed.registry, tasks),
    shownArgs: (taskName, args) => tasks.has(taskName) ? redaction?.args(taskName, args) ?? args : own.shownArgs(taskName, args)
  }

  function refuse(taskName: string, what: string): void {
    if (tasks.has(taskName) || clashWith(queues.sources, taskName) !== null) throw observedOnly(what)
  }

  return {
    shown,
    observing: {
      isAll: false, has: name => observed.discovery.queueOf(name) !== undefined, problem: observed.problem,
      readsAny: observed.readsAny, ownersProblem: observed.ownersProblem, earlierLosses: observed.earlierLosses,
      endsWithProcess: false, manages: queues.manage
    },
    operationsOf(ofOwn, monitoring, isVisible = () => true) {
      const { sees } = createScope(isVisible)
      return createCombinedOperations({
        own: ofOwn, others: observed.changesOf(ofOwn, monitoring), tasks, sees,
        async taskOfSchedule(scheduleId) {
          const taskName = (await schedules.get(scheduleId, sees))?.taskName ?? null
          return taskName !== null && sees(taskName) ? taskName : null
        }
      })
    },
    othersInBulk: shown => ({ ...observed.inBulk(shown), has: tasks.has }),
    refuse,
    checkName(taskName) {
      const clash = clashWith(queues.sources, taskName) ?? (tasks.has(taskName) ? clashText(queueTaskOf(taskName)) : null)
      if (clash !== null) throw createTaskDashboardError('INVALID_TASK', [taskName, clash])
    },
    recordingProblem: observed.recordingProblem,
    open: observed.open,
    abortSearch: observed.abortSearch,
    async start() {
      // From now on the app's tasks are known, even if its broker goes down before anybody asks for them.
      await shown.registry.taskNames().catch(() => {})
      await observed.start()
    },
    stop: observed.stop
  }
}

import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { fixedDelay } from '../time/backoff.ts'
import { createRecorder } from '../backend/upkeep/recorder.ts'
import { createResolveMissed } from '../backend/upkeep/resolve-missed.ts'
import { createResolveRetried } from '../backend/upkeep/resolve-retried.ts'
import { createRetriedGroups } from '../backend/upkeep/retried-groups.ts'
import { toAuditLimits, toRetentionPolicy } from '../backend/retention-policy.ts'
import { createResultBackend } from '../backend/create-result-backend.ts'
import type { ResultBackend } from '../backend/result-backend.ts'
import { createBullmqEngine } from '../engine/bullmq-engine.ts'
import { FINISHED_KEPT_MS, type Engine, type EngineWorker, type EnqueueRequest } from '../engine/engine.ts'
import { createScheduleControl } from '../scheduler/schedule-control.ts'
import type { Scheduler } from '../scheduler/scheduler.ts'
import { createStore } from '../stores/create-store.ts'
import { sayMissingRights } from '../stores/missing-rights.ts'
import { createStoreClock } from '../stores/store-clock.ts'
import { isSameStore } from '../stores/source/parse-store-source.ts'
import { describeStore } from './monitoring/describe-store.ts'
import { createMonitoring } from './monitoring/create-monitoring.ts'
import { createEnqueueBatches } from './enqueueing/enqueue-batches.ts'
import type { Monitoring } from './monitoring/monitoring.ts'
import { assembleUpkeep } from './assemble-upkeep.ts'
import { assembleBulk } from './bulk/assemble-bulk.ts'
import { createRetryArguments } from './operations/retry-arguments.ts'
import { createOperations } from './operations/create-operations.ts'
import type { Operations } from './operations/operations.ts'
import { assembleCombined, type OwnParts } from './combining/assemble-combined.ts'
import { createScheduleBooks } from './observing/schedules/schedule-book.ts'
import type { ResolvedQueues } from './observing/resolve-observe-options.ts'
import type { ResolvedQueueAppOptions } from './options.ts'
import { toTaskSettings, type RegisteredTask, type TaskSettings } from './tasks/task.ts'
import { createRedaction } from './redaction/redaction.ts'
import { createSeal } from './redaction/seal.ts'
import { isRedacted, withRedactedArgs, withRedactedReads } from './redaction/redacted-reads.ts'
import { createAuditLog } from './audit/audit-log.ts'
import { createRequestAnswers } from './enqueueing/request-answers.ts'
import { identifyApp } from './processes/app-identity.ts'
import { createNamespaceWatch } from './processes/namespace-watch.ts'
import { createWithin } from './scope/create-within.ts'
import { createTaskRegistry } from './tasks/task-registry.ts'
import { startWorker } from './tasks/worker.ts'
import { createWorkerRefusal } from './processes/worker-refusal.ts'
import { createWriteWatch } from './processes/write-watch.ts'

/** All parts of a queue app, wired together. */
export interface Parts {
  /** Resolves with the execution id for each, which is the existing one's for a duplicate. */
  enqueue(requests: readonly EnqueueRequest[]): Promise<readonly string[]>
  readonly monitoring: Monitoring
  readonly operations: Operations
  /** Reads and writes for the tasks for which a predicate returns true, as if there were no others. */
  within(isVisible: (taskName: string) => boolean): { readonly monitoring: Monitoring; readonly operations: Operations }
  readonly scheduler: Scheduler
  /** Settings of a task that any process has registered or declared; undefined if none has. */
  publishedTask(name: string): Promise<TaskSettings | undefined>
  /** Publishes and runs a task that was registered during or after `start()`. */
  addTask(task: RegisteredTask): void
  start(): Promise<void>
  /** Ends what may keep `start` waiting for seconds, because a stop was asked for. `start` still settles. */
  abortStart(): void
  /** Idempotent; never rejects. */
  stop(graceMs: number): Promise<void>
}

/** The app's own state. */
export interface LocalState {
  localTasks(): readonly RegisteredTask[]
  localTask(name: string): RegisteredTask | undefined
  isStarted(): boolean
}

/** How long `stop()` tries to write records that the result backend has not accepted yet. The next start records the rest. */
const FLUSH_TIMEOUT_MS = 5_000

/**
 * Builds every part; opens nothing yet.
 * @param queues existing queues to show beside the tasks; null for none
 */
export function assembleParts(
  options: ResolvedQueueAppOptions, queues: ResolvedQueues | null, { localTasks, localTask, isStarted }: LocalState
): Parts {
  const { namespace, onError } = options
  const workerId = `${hostname()}:${process.pid}:${randomBytes(4).toString('hex')}`
  const broker = createStore(options.broker, { namespace, role: 'broker', onError })
  const isShared = isSameStore(options.broker, options.backend)
  const resultStore = isShared ? broker : createStore(options.backend, { namespace, role: 'result backend', onError })

  const clock = createStoreClock(() => broker.now())
  const engine = createBullmqEngine(broker)
  const failedArgsBytes = options.retention.failed?.argsBytes
  const history = createResultBackend(resultStore, { failedArgsBytes })
  const resolving = {
    backend: history, groups: createRetriedGroups(history), leases: broker.documents, holder: workerId, now: () => resultStore.now(),
    onError
  }
  const resolveRetried = createResolveRetried(resolving)
  const resolveMissed = createResolveMissed({ ...resolving, documents: broker.documents })
  const backend: ResultBackend = {
    ...history,
    async record(executions, options) {
      const recorded = resolveRetried.recording(executions)
      const added = await history.record(executions, options)
      recorded()
      return added
    }
  }
  const { paths, with: replace, seal } = options.redact
  const redaction = paths?.length || replace || seal ? createRedaction(options.redact, onError, failedArgsBytes) : null
  const shownEngine = redaction ? withRedactedReads(engine, redaction) : engine
  const workers = new Map<string, EngineWorker>()
  const writes = createWriteWatch(broker.documents)
  const backendWrites = isShared ? writes : createWriteWatch(resultStore.documents)
  const recorder = createRecorder({ backend, keptByBrokerMs: FINISHED_KEPT_MS, onError })
  const app = identifyApp(options.appName)
  const registry = createTaskRegistry({
    documents: writes.documents, workerId, app, local: localTasks,
    declared: Object.entries(options.tasks).map(([name, declared]) => ({ name, settings: toTaskSettings(declared) })),
    silentForMs: name => workers.get(name)?.silentForMs ?? 0,
    runsOf: name => workers.get(name)?.runs() ?? [],
    unwrittenSince: () => recorder.status().oldestFinishedAt, recordingProblem, aheadMs: clock.aheadMs, onError,
    brokerNow: () => broker.now(),
    refusal: createWorkerRefusal({
      reason: () => [...workers.values()].map(worker => worker.refusal).find(refusal => refusal !== null) ?? null,
      findMissingRights: () => sayMissingRights(broker, 'broker')
    })
  })
  const namespaceWatch = createNamespaceWatch({ namespace, app, processes: registry.processes, onError })
  const publishedTask = (name: string) => registry.task(name)
  const settingsOf = async (name: string): Promise<TaskSettings | undefined> => localTask(name)?.settings ?? await publishedTask(name)
  const { taskNames } = registry
  const schedules = createScheduleControl({
    documents: broker.documents,
    effects: engine,
    clock,
    patienceMs: broker.patienceMs,
    ...(!isShared && { copies: resultStore.documents }),
    // A copy would put secret arguments into the result backend, and a copy without them could not run.
    ...(redaction && { mayCopy: schedule => !isRedacted(schedule, redaction) }),
    taskNames,
    registeredTasks: registry.registeredTasks,
    declaredTasks: registry.declaredTasks,
    localTasks: () => localTasks().map(task => task.name),
    clocksAheadMs: async () => Math.max(0, ...(await registry.processes()).map(({ aheadMs }) => aheadMs ?? 0)),
    // A stopping process takes no more runs, so it does not serve its tasks. A run still waits for the process that replaces it: a miss
    // also needs an absence of 30 s, and attendance ends when the stop begins. What the process still runs is not overdue.
    servedTasks: async () => new Set((await registry.workersByTask()).keys()),
    checkTask: name => existing?.refuse(name, 'it adds no schedules'),
    isTaskKnown: async name => await settingsOf(name) !== undefined,
    retryPolicyOf: async name => {
      const settings = await settingsOf(name)
      return { maxAttempts: (settings?.retries ?? 0) + 1, backoff: settings?.backoff ?? fixedDelay(0) }
    },
    onMoved: (from, to) => backend.moveSchedule(from, to),
    onError
  })
  const policy = toRetentionPolicy(options.retention, resultStore.kind)
  const books = createScheduleBooks(resultStore.documents)
  // Job schedulers of existing queues have books, which must be kept even in a process that does not show those queues.
  const standing = async (scheduleIds: readonly string[]): Promise<ReadonlySet<string>> =>
    new Set((await Promise.all([schedules.standing(scheduleIds), books.those(scheduleIds)])).flatMap(ids => [...ids]))
  const upkeep = assembleUpkeep({
    broker, backend, engine: shownEngine, taskNames, processes: registry.processes, policy, standing, holder: workerId, onError
  })
  const audit = createAuditLog({
    store: resultStore.audit, limits: toAuditLimits(options.retention.audit, resultStore.kind), now: () => resultStore.now(), onError
  })
  const answers = createRequestAnswers({ answers: broker.answers, onError })
  const shownSchedules = redaction ? withRedactedArgs(schedules, redaction) : schedules
  const enqueue: Engine['enqueue'] = requests => writes.enqueuing(() => engine.enqueue(requests))
  const argumentsOf = createRetryArguments({
    findOriginal: engine.find, mayReplaceUnseen: replace !== undefined, openSealed: redaction?.openSealed ?? createSeal(null).open
  })
  const own: OwnParts = {
    broker, resultStore, backend: history, engine: shownEngine, enqueue, schedules: shownSchedules, registry,
    shownArgs: (taskName, args) => redaction?.args(taskName, args) ?? args,
    localTasks: () => [...localTasks().map(task => task.name), ...schedules.scheduler.declared().map(([, { taskName }]) => taskName)],
    holder: workerId
  }
  const existing = queues === null ? null : assembleCombined(queues, options, own)
  const shown = existing?.shown ?? own
  const bulk = assembleBulk({
    engine: shown.engine, enqueue: shown.enqueue, backend, documents: resultStore.documents, argumentsOf, policyOf: settingsOf,
    taskNames: shown.registry.taskNames, holder: workerId, now: () => resultStore.now(), onError,
    covered: shown.registry.covered, ...existing && { others: existing.othersInBulk(() => monitoring) }
  })
  const operationsOf = {
    engine: shown.engine, argumentsOf, enqueue: shown.enqueue, schedules: shown.schedules, backend, taskNames: shown.registry.taskNames,
    answers, audit, isStarted, shownArgs: shown.shownArgs,
    bulk: bulk.operations,
    policyOf: settingsOf,
    async brokerNow() {
      await clock.set()
      return clock.now()
    }
  }
  const monitoringOf = {
    engine: shown.engine, schedules: shown.schedules, backend, registry: shown.registry, isStarted, broker, resultStore,
    auditEntries: audit.list,
    bulk: bulk.operations,
    stores: { broker: broker.kind, backend: resultStore.kind },
    patienceMs: Math.max(broker.patienceMs, resultStore.patienceMs),
    async datastores() {
      const [brokerReport, backendReport] = await Promise.all([describeStore(broker), describeStore(resultStore)])
      return { broker: brokerReport, backend: backendReport }
    },
    workerId,
    recordingProblem,
    processProblem: namespaceWatch.problem,
    writeRefusal: writes.refusal,
    backendWriteRefusal: backendWrites.refusal,
    retention: policy,
    observing: existing?.observing ?? null,
    createdAt: Date.now()
  }
  const monitoring = createMonitoring(monitoringOf)
  const ownOperations = createOperations({ ...operationsOf, findQueue: name => monitoring.queue(name) })
  const ownWithin = createWithin({ operationsOf, monitoringOf })

  function recordingProblem(): string | null {
    return recorder.problem() ?? upkeep.problem() ?? existing?.recordingProblem() ?? null
  }

  let isRunning = false
  const run = (task: RegisteredTask) => workers.set(task.name, startWorker(task, {
    engine,
    workerId,
    guard: schedules,
    onFinished: execution => recorder.record(redaction ? redaction.recorded(execution) : execution),
    onAttemptFailed: (execution, attempt, args) => {
      const error = redaction && attempt.error ? redaction.error(execution.taskName, attempt.error, args) : attempt.error
      recorder.recordAttempt(execution, { ...attempt, error })
    },
    onError
  }))

  return {
    enqueue: createEnqueueBatches({ enqueue }),
    monitoring,
    operations: existing?.operationsOf(ownOperations, monitoring) ?? ownOperations,
    within(isVisible) {
      const scoped = ownWithin(isVisible)
      return existing === null
        ? scoped
        : { monitoring: scoped.monitoring, operations: existing.operationsOf(scoped.operations, scoped.monitoring, isVisible) }
    },
    scheduler: schedules.scheduler,
    async publishedTask(name) {
      existing?.refuse(name, 'it adds no executions')
      return publishedTask(name)
    },
    addTask(task) {
      existing?.checkName(task.name)
      // Otherwise `start()` will run it.
      if (!isRunning) return
      run(task)
      registry.publish().catch(onError)
    },
    async start() {
      await Promise.all(isShared ? [broker.start()] : [broker.start(), resultStore.start()])
      await Promise.all([engine.start(), backend.start()])
      const published = localTasks().length
      await registry.start()
      await existing?.open()
      await schedules.start()
      isRunning = true
      const tasks = localTasks()
      for (const task of tasks) run(task)
      // Publish tasks registered in the meantime.
      if (tasks.length > published) registry.publish().catch(onError)
      // Until this is done, reads check every queue. The sweeper repeats it and reports failures.
      void taskNames().then(engine.indexQueues).catch(() => {})
      upkeep.start()
      await existing?.start()
      resolveMissed.start()
      answers.start()
      audit.start()
      bulk.start()
      namespaceWatch.start()
    },
    abortStart() { existing?.abortSearch() },
    async stop(graceMs) {
      isRunning = false
      registry.announceStop()
      // Order matters: start nothing new, let running executions finish, write their records, then close connections. A step of a bulk
      // operation must end before the connections to existing queues are closed.
      await Promise.all([
        bulk.stop().then(() => existing?.stop()), schedules.stop(), upkeep.stop(), resolveMissed.stop(), answers.stop(), audit.stop(),
        namespaceWatch.stop()
      ])
      await engine.stop({ graceMs })
      schedules.stopGuarding()
      await recorder.flush(FLUSH_TIMEOUT_MS)
      await resolveRetried.stop()
      await registry.stop()
      await backend.stop()
      await Promise.all([broker.stop(), resultStore.stop()])
    }
  }
}

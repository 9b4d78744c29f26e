import type { RetentionPolicy } from '../../backend/result-backend.ts'
import { SERVER_PATIENCE_MS } from '../../time/budgets.ts'
import { toFinishedWindow } from '../../backend/counting/tally.ts'
import { DAY_MS } from '../../time/units.ts'
import { completeSearch } from '../../backend/search/complete-search.ts'
import { namesInSearch } from '../../backend/search/names-in-search.ts'
import { taskFromQueueName } from '../../engine/jobs/queue-name.ts'
import { queueTaskOf } from '../../engine/observing/job-task.ts'
import { createTaskDashboardError } from '../../errors.ts'
import { unlessAway } from '../../stores/failures/unavailable.ts'
import { asRead } from '../../stores/read-lane.ts'
import type { ScheduleQuery, Schedules } from '../../scheduler/schedules.ts'
import { checkIdIsString } from '../enqueueing/call-checks.ts'
import { createExecutionHistory } from './executions/executions.ts'
import { createFailureGroups } from './failure-groups.ts'
import { createHealthCheck, type HealthDependencies } from './health.ts'
import { createKnownRetries } from './executions/known-retries.ts'
import { createJobReader } from './job-of.ts'
import { createKnownValues } from './known-values.ts'
import { createLastHour } from './last-hour.ts'
import type { Monitoring, Statistics, TaskOverview } from './monitoring.ts'
import { readRemoval } from './removal.ts'
import { createQueueOverviews } from './queue-overviews.ts'
import { readOverviews } from './schedule-overviews.ts'
import type { ShownBackend } from '../scope/scoped-backend.ts'
import type { ShownEngine } from '../scope/scoped-engine.ts'
import type { ShownRegistry } from '../scope/scoped-registry.ts'
import { runsTasks } from '../tasks/task-registry.ts'
import { hasKnownWorkers, partOf, type KnownTask } from '../tasks/known-task.ts'
import { ONLY_ITSELF, sumOfKnown, sumOfTotals, wholesOf } from '../tasks/parts-of-tasks.ts'
import { retryIdOf } from '../operations/retry-id.ts'
import { createTimeseries } from './timeseries.ts'
import { createWhyReader } from './why/read-why.ts'
import { toWorkerOverview } from './worker-overviews.ts'

export interface MonitoringDependencies extends HealthDependencies {
  readonly engine: ShownEngine
  readonly backend: ShownBackend
  readonly schedules: Schedules
  readonly registry: ShownRegistry
  /** Whether the parts above show only some of the tasks. Default false. */
  readonly isScoped?: boolean
  readonly stores: Monitoring['stores']
  readonly datastores: Monitoring['datastores']
  readonly auditEntries: Monitoring['auditEntries']
  readonly bulk: Monitoring['bulk']
  /** Default 1500. */
  readonly patienceMs?: number
  /** Default: nothing is ever removed. */
  readonly retention?: RetentionPolicy
}

/** Reads for dashboards, on any process of a queue app. Rejects with NOT_STARTED while the app is not running. */
export function createMonitoring(dependencies: MonitoringDependencies): Monitoring {
  const { engine, backend, schedules, registry, isStarted, stores, datastores } = dependencies
  const { patienceMs = SERVER_PATIENCE_MS, retention = null, now = Date.now, isScoped = false, observing = null } = dependencies
  const taskNames = () => registry.taskNames()
  const { covered = ONLY_ITSELF } = registry
  const history = createExecutionHistory({ engine, backend, taskNames, covered, now })
  const failureGroups = createFailureGroups(backend, now, { isScoped, covered })
  const knownValues = createKnownValues({ schedules, registry, backend, taskNames, now })
  const lastHour = createLastHour(backend, now)
  const timeseries = createTimeseries(backend, now, { isOfTasks: isScoped, covered })
  const queues = createQueueOverviews({ engine, backend, registry, now, managesOthers: observing?.manages ?? false })
  const jobOf = createJobReader({ engine, taskNames, find: history.find })
  const knownRetries = createKnownRetries({ engine, backend })
  const why = createWhyReader({ engine, backend, registry })
  const health = createHealthCheck(dependencies)

  async function overviews(published: readonly KnownTask[]): Promise<TaskOverview[]> {
    const [workers, counts, totals, windows, scheduled, limitedUntil] = await Promise.all([
      unlessAway(registry.workersByTask()),
      engine.counts(published.map(task => task.name)),
      backend.taskTotals(),
      backend.windowByTask(now() - DAY_MS, now(), wholesOf(published.map(({ name }) => name), covered)),
      schedules.count(),
      engine.rateLimitedUntil(published.map(({ name, rateLimit }) => ({ taskName: name, max: rateLimit?.max ?? null })))
    ])
    return published.map(task => {
      const ofTask = covered(task.name)
      const total = sumOfTotals(ofTask.map(name => totals.get(name)))
      const window = windows.get(task.name)
      const inFlight = counts.get(task.name)
      return {
        name: task.name,
        type: task.type,
        description: task.description,
        queue: engine.queueOf(task.name),
        partOf: partOf(task),
        retries: task.retries,
        backoff: task.backoff,
        timeoutMs: task.timeoutMs,
        concurrency: task.concurrency,
        rateLimit: task.rateLimit,
        rateLimitedUntil: limitedUntil.get(task.name) ?? null,
        workers: workers !== null && hasKnownWorkers(task, registry) ? workers.get(task.name) ?? 0 : null,
        schedules: sumOfKnown(ofTask.map(scheduled.ofTask)),
        executions: {
          pending: inFlight?.pending ?? null, running: inFlight?.running ?? null, success: total?.success ?? 0, failed: total?.failed ?? 0
        },
        duration: window?.duration ?? null,
        wait: window?.wait ?? null,
        last: total?.last ?? null,
        firstSeenAt: task.firstSeenAt,
        lastSeenAt: task.lastSeenAt
      }
    })
  }

  async function statistics(): Promise<Statistics> {
    const { taskNames, processes } = await registry.recent()
    const at = now()
    const wholeOf = wholesOf(taskNames, covered)
    // All in parallel.
    const [inFlight, totals, { hour, perMinute }, { total, enabled, overdue }, kept] = await Promise.all([
      engine.summary(taskNames),
      backend.totals(),
      lastHour(),
      schedules.count(),
      backend.kept()
    ])
    const { duration, wait } = toFinishedWindow(hour)
    return {
      executions: { pending: inFlight.pending, running: inFlight.running, success: totals.success, failed: totals.failed },
      activeWorkers: registry.knowsWorkers ? processes.filter(runsTasks).length : null,
      registeredTasks: taskNames.filter(name => wholeOf(name) === null).length,
      schedules: { total, enabled, overdue },
      throughputPerMinute: perMinute,
      duration,
      wait,
      oldestPendingMs: inFlight.oldestPendingMs,
      history: { ...kept, retention },
      generatedAt: at
    }
  }

  function ofCovered({ taskName, ...query }: ScheduleQuery = {}): ScheduleQuery {
    if (taskName === undefined) return query
    const names = covered(taskName)
    return names.length > 1 ? { ...query, isOfTask: name => names.includes(name) } : { ...query, taskName }
  }

  const whenStarted = async <Result>(read: () => Promise<Result>): Promise<Result> => {
    if (!isStarted()) throw createTaskDashboardError('NOT_STARTED')
    return read()
  }
  /** Dashboard reads use their own connections, so that they do not delay anything else. */
  const look = <Result>(read: () => Promise<Result>): Promise<Result> => asRead(() => whenStarted(read))

  return {
    stores,
    datastores,
    patienceMs,
    supports: {
      ...backend.supports, changes: !observing?.isAll, manages: observing?.manages ?? false,
      ...observing?.isAll === false && { changesOf: (taskName: string) => !observing.has(queueTaskOf(taskName)) }
    },
    endsWithProcess: observing?.endsWithProcess ?? false,
    tasks: () => look(async () => overviews(await registry.tasks())),
    task: name => look(async () => {
      const published = await registry.task(name)
      if (!published) return null
      const [[overview], { oldestPendingMs }] = await Promise.all([overviews([published]), engine.summary([name])])
      return { ...overview!, oldestPendingMs }
    }),
    workers: () => look(async () => (await registry.workers()).map(toWorkerOverview)),
    queues: () => look(queues.list),
    queue: name => look(() => queues.find(name)),
    taskOfQueue: name => observing?.has(name) ? name : taskFromQueueName(name),
    executions: query => look(async () => {
      const page = await history.list(query)
      return { ...page, retries: await knownRetries(page.executions) }
    }),
    async execution(executionId) {
      checkIdIsString(executionId)
      return await look(() => history.find(executionId))
    },
    async why(executionId) {
      checkIdIsString(executionId)
      return await look(() => why(executionId))
    },
    async jobOf(executionId) {
      checkIdIsString(executionId)
      return await look(() => jobOf(executionId))
    },
    retriesOf: executionId => look(() => backend.retriesOf(executionId)),
    // The execution itself comes from the history, which must not need the broker.
    standingRetryOf: ({ executionId, taskName }) => unlessAway(look(() => engine.find([taskName], retryIdOf(executionId)))),
    removalOf: executionId => look(() => readRemoval(backend, executionId)),
    searchCompletions: (search, position) => look(async () => completeSearch(search, position, await knownValues(search))),
    searchNames: namesInSearch,
    failureGroups: query => look(() => failureGroups(query)),
    timeseries: query => look(() => timeseries(query)),
    schedules: query => look(async () => readOverviews(backend, await schedules.list(ofCovered(query)))),
    schedule: scheduleId => look(async () => {
      const record = await schedules.get(scheduleId)
      return record && (await readOverviews(backend, [record]))[0]!
    }),
    scheduleMisses: scheduleId => look(() => schedules.misses(scheduleId)),
    scheduleAgenda: (from, to) => look(() => schedules.agenda(from, to)),
    previewSchedule: (timing, options) => schedules.preview(timing, options),
    auditEntries: query => look(() => dependencies.auditEntries(query)),
    bulk: {
      taskNames: filter => look(() => dependencies.bulk.taskNames(filter)),
      executions: request => look(() => dependencies.bulk.executions(request)),
      preview: request => look(() => dependencies.bulk.preview(request)),
      list: query => look(() => dependencies.bulk.list(query)),
      find: operationId => look(() => dependencies.bulk.find(operationId)),
      items: (operationId, query) => look(() => dependencies.bulk.items(operationId, query))
    },
    statistics: () => look(statistics),
    health: () => asRead(health)
  }
}

import type { AuditLog } from '../audit/audit-log.ts'
import type { TaskTotals } from '../../backend/result-backend.ts'
import type { Engine } from '../../engine/engine.ts'
import { createTaskDashboardError } from '../../errors.ts'
import type { ScheduleRecord, Schedules } from '../../scheduler/schedules.ts'
import { asRead } from '../../stores/read-lane.ts'
import { FORGET_WITHIN_MS } from '../../time/budgets.ts'
import { withDeadline } from '../../time/deadline.ts'
import type { BulkWrites } from '../bulk/bulk.ts'
import type { RequestAnswers } from '../enqueueing/request-answers.ts'
import { createExecutionHistory } from '../monitoring/executions/executions.ts'
import type { QueueOverview, ScheduleOverview } from '../monitoring/monitoring.ts'
import { isRemembered, readRemoval } from '../monitoring/removal.ts'
import { toScheduleOverview } from '../monitoring/schedule-overviews.ts'
import type { ShownBackend } from '../scope/scoped-backend.ts'
import type { ShownEngine } from '../scope/scoped-engine.ts'
import type { Operations, RetryPolicy } from './operations.ts'
import { createCancelExecution } from './cancel-execution.ts'
import { createDecideFailureGroup } from './decide-failure-group.ts'
import { createDeleteExecution } from './delete-execution.ts'
import { createLimitQueue } from './limit-queue.ts'
import { createPauseQueue } from './pause-queue.ts'
import type { createRetryArguments } from './retry-arguments.ts'
import { createRetryExecution } from './retry-execution.ts'
import { createRunTask } from './run-task.ts'
import { createUpdateExecution } from './update-execution.ts'

export interface OperationsDependencies {
  /** Reads are as shown in the dashboard: redacted. */
  readonly engine: ShownEngine
  /** The arguments of a retry. */
  readonly argumentsOf: ReturnType<typeof createRetryArguments>
  /** Returns arguments that someone sent, as shown in the dashboard. */
  shownArgs(taskName: string, args: readonly unknown[]): readonly unknown[]
  /** Adds executions. The outcome also shows whether the broker accepts writes. */
  readonly enqueue: Engine['enqueue']
  readonly backend: ShownBackend
  /** Finds ids that the same request made before, even ones that its user may not see. Default: `backend`. */
  readonly ownIds?: Pick<ShownBackend, 'missing' | 'kept'>
  readonly schedules: Schedules
  readonly answers: RequestAnswers
  readonly audit: AuditLog
  taskNames(): Promise<readonly string[]>
  findQueue(name: string): Promise<QueueOverview | null>
  /** The broker's clock. */
  brokerNow(): Promise<number>
  isStarted(): boolean
  /** The retry policy of a task that any process has registered or declared; undefined if none has. */
  policyOf(taskName: string): Promise<RetryPolicy | undefined>
  readonly bulk: BulkWrites
}

/** Changes for dashboards, in any process of a queue app. Rejects with NOT_STARTED while the app is not running. */
export function createOperations({
  engine, argumentsOf, shownArgs, enqueue, backend, schedules, answers, audit, taskNames, findQueue, brokerNow, isStarted, policyOf, bulk,
  ownIds = backend
}: OperationsDependencies): Operations {
  const history = createExecutionHistory({ engine, backend, taskNames })
  const removalOf = (executionId: string) => readRemoval(backend, executionId)
  const runTask = createRunTask({ enqueue, policyOf, wasEnqueued })
  const retryExecution = createRetryExecution({
    engine: { enqueue, requestIdOf: engine.requestIdOf }, argumentsOf, shownArgs, find: history.find, policyOf,
    findOfTask: (taskName, executionId) =>
      createExecutionHistory({ engine, backend, taskNames: async () => [taskName] }).find(executionId),
    removalOf, isRemembered: executionId => isRemembered(ownIds, executionId)
  })
  const cancelExecution = createCancelExecution({ engine, backend, find: history.find, removalOf })
  const deleteExecution = createDeleteExecution({ engine, backend, find: history.find, removalOf })
  const decideFailureGroup = createDecideFailureGroup(backend)
  const updateExecution = createUpdateExecution({ engine, find: history.find, removalOf })

  const limitQueue = createLimitQueue({ engine, find: findQueue })
  const pausing = createPauseQueue({ engine, find: findQueue, now: brokerNow })

  /** Requested before the change and awaited after it; null if the result backend is unavailable. */
  function totalsOf(scheduleId: string): Promise<TaskTotals | undefined | null> {
    return asRead(() => backend.scheduleTotals([scheduleId])).then(totals => totals.get(scheduleId), () => null)
  }

  /** The change was made, whatever the result backend does. */
  async function overviewWith(totals: Promise<TaskTotals | undefined | null>, record: ScheduleRecord): Promise<ScheduleOverview> {
    const total = await totals
    const overview = toScheduleOverview(record, total ?? undefined)
    return total === null ? { ...overview, runs: null, success: null, failed: null } : overview
  }

  async function wasEnqueued(executionId: string): Promise<boolean> {
    return await history.find(executionId) !== null || await readRemoval(ownIds, executionId) !== null
  }

  /** The schedule is already deleted. If its counters cannot be removed now, the history's upkeep does it later (orphaned-totals.ts). */
  async function forgetInTime(scheduleId: string): Promise<void> {
    await withDeadline(backend.forgetSchedule(scheduleId), FORGET_WITHIN_MS, 'not forgotten').catch(() => {})
  }

  async function whenStarted<Result>(change: () => Promise<Result>): Promise<Result> {
    if (!isStarted()) throw createTaskDashboardError('NOT_STARTED')
    return change()
  }

  return {
    createSchedule: (input, operation) => whenStarted(async () => {
      const record = await schedules.create(input, operation)
      // A new schedule has not run.
      return operation?.isRepeated ? overviewWith(totalsOf(record.scheduleId), record) : toScheduleOverview(record, undefined)
    }),
    setScheduleEnabled: (scheduleId, enabled, by) => whenStarted(async () => {
      const totals = totalsOf(scheduleId)
      return overviewWith(totals, await schedules.setEnabled(scheduleId, enabled, by))
    }),
    updateSchedule: (scheduleId, changes, options) => whenStarted(async () => {
      const totals = totalsOf(scheduleId)
      return overviewWith(totals, await schedules.update(scheduleId, changes, options))
    }),
    runSchedule: (scheduleId, operation) => whenStarted(async () => {
      if (operation?.isRepeated && await wasEnqueued(operation.id)) return operation.id
      return schedules.runNow(scheduleId, operation)
    }),
    deleteSchedule: scheduleId => whenStarted(async () => {
      await schedules.delete(scheduleId)
      await forgetInTime(scheduleId)
    }),
    runTask: (...run) => whenStarted(() => runTask(...run)),
    retryExecution: (...retry) => whenStarted(() => retryExecution(...retry)),
    audit: {
      begin: write => whenStarted(() => audit.begin(write)),
      settle: audit.settle,
      refuse: async (write, outcome) => { if (isStarted()) await audit.refuse(write, outcome) }
    },
    cancelExecution: (...cancel) => whenStarted(() => cancelExecution(...cancel)),
    deleteExecution: executionId => whenStarted(() => deleteExecution(executionId)),
    pauseQueue: (...pause) => whenStarted(() => pausing.pauseQueue(...pause)),
    limitQueue: (...limits) => whenStarted(() => limitQueue(...limits)),
    resumeQueue: name => whenStarted(() => pausing.resumeQueue(name)),
    updateExecution: (...changes) => whenStarted(() => updateExecution(...changes)),
    resolveFailureGroup: (errorGroup, options) => whenStarted(() => decideFailureGroup(errorGroup, true, options)),
    reopenFailureGroup: (errorGroup, options) => whenStarted(() => decideFailureGroup(errorGroup, false, options)),
    bulk: {
      create: (...start) => whenStarted(() => bulk.create(...start)),
      suspend: (...change) => whenStarted(() => bulk.suspend(...change)),
      resume: (...change) => whenStarted(() => bulk.resume(...change)),
      abort: (...change) => whenStarted(() => bulk.abort(...change)),
      undo: (...change) => whenStarted(() => bulk.undo(...change))
    },
    answers: { claim: (key, fingerprint) => whenStarted(() => answers.claim(key, fingerprint)) }
  }
}

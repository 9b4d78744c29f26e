import { randomUUID } from 'node:crypto'
import { createTaskDashboardError } from '../errors.ts'
import type { DocumentStore } from '../stores/documents/documents.ts'
import { ownClock, type StoreClock } from '../stores/store-clock.ts'
import { answeredWithin, confirmed, withStoreErrors } from '../stores/failures/unavailable.ts'
import { budgetsOf, SERVER_PATIENCE_MS } from '../time/budgets.ts'
import { createAttendance } from './runs/attendance.ts'
import { createConverge } from './effects/converge.ts'
import { createPullBack } from './effects/pull-back.ts'
import { createDeclarations } from './definitions/declarations.ts'
import { LATE_AFTER_MS } from './runs/late-after.ts'
import { createDisableWait } from './runs/disable-wait.ts'
import { createMissingTasks } from './runs/missing-tasks.ts'
import { createOverdueWatch } from './runs/overdue-watch.ts'
import { createRunGuard, type RunDecision, type ScheduledRun } from './runs/run-guard.ts'
import { createUnrecordedRuns } from './runs/unrecorded-runs.ts'
import { createRunLedger } from './runs/run-ledger.ts'
import { createScheduleCopies } from './definitions/schedule-copies.ts'
import { createScheduleEffects, type RetryPolicyOf, type SchedulerEffects } from './effects/schedule-effects.ts'
import { previewRuns } from './preview-runs.ts'
import { createScheduleReader } from './schedule-reader.ts'
import { createScheduleStore, type ScheduleDocument } from './definitions/schedule-store.ts'
import { createScheduleUpkeep } from './schedule-upkeep.ts'
import { createScheduleWrites } from './definitions/schedule-writes.ts'
import { Scheduler } from './scheduler.ts'
import type { Schedules } from './schedules.ts'
import { createStoreMark } from './definitions/store-mark.ts'

export interface ScheduleControlOptions {
  readonly documents: DocumentStore
  readonly effects: SchedulerEffects
  /** A store other than the broker's, for copies of the schedules. Default none. */
  readonly copies?: DocumentStore
  /** Whether a schedule may be copied to that store. A schedule without a copy cannot be restored. Default: every schedule. */
  mayCopy?(schedule: ScheduleDocument): boolean
  isTaskKnown(taskName: string): Promise<boolean>
  /** How far the fastest clock of the live processes is ahead of the broker's, in milliseconds. Default: 0. */
  clocksAheadMs?(): Promise<number>
  /** Tasks whose queues may contain BullMQ schedulers. */
  taskNames(): Promise<readonly string[]>
  readonly retryPolicyOf: RetryPolicyOf
  /** Tasks that some process currently registers. Default: all. */
  registeredTasks?(): Promise<ReadonlySet<string>>
  /** Tasks that some process currently declares and expects another one to run. Default: none. */
  declaredTasks?(): Promise<ReadonlySet<string>>
  /** Tasks this process runs. Default: none. */
  localTasks?(): readonly string[]
  /** Tasks that some process currently runs. Default: all. */
  servedTasks?(): Promise<ReadonlySet<string>>
  /**
   * Called when a schedule is moved to another id, before it runs under that id, and again if a process died during the move. `onError`
   * reports its rejections. Default: does nothing.
   */
  onMoved?(from: string, to: string): Promise<void>
  /** Errors of background work; the next convergence retries. */
  readonly onError: (error: Error) => void
  /** The datastore's clock. Default: this process's. */
  readonly clock?: StoreClock
  /** Milliseconds, default 30 000. */
  readonly convergeEveryMs?: number
  /** Throws if schedules of a task cannot be declared. Default: all can. */
  checkTask?(taskName: string): void
  /** How often overdue runs are checked. Milliseconds, default 10 000. */
  readonly watchEveryMs?: number
  /** Default 10 000. */
  readonly maxSchedules?: number
  /**
   * How long this process has been running, in milliseconds: a task that no process registers counts as missing only after a while. Default
   * `performance.now()`.
   */
  uptimeMs?(): number
  /** How long a request waits for the store. Milliseconds, default 1500. */
  readonly patienceMs?: number
}

/** The schedules of a queue app in this process: the dashboard's operations, code declarations, and the checks that workers call. */
export interface ScheduleControl extends Schedules {
  /** For schedules declared in code. */
  readonly scheduler: Scheduler
  /**
   * Call it once the store is open and the engine has started. Writes code declarations, then converges in the background. Idempotent.
   * Rejects with BROKER_UNAVAILABLE.
   */
  start(): Promise<void>
  /** Idempotent; never rejects. */
  stop(): Promise<void>
  /** Runs at start, on reconnect and every 30 s. Never rejects: `status()` reports errors. */
  converge(): Promise<void>
  /** Which of these schedules exist, at most 1,000. */
  standing(scheduleIds: readonly string[]): Promise<ReadonlySet<string>>
  /** Stops renewing the leases that prevent overlapping runs. Call it when nothing is running any more. */
  stopGuarding(): void
  /** Never rejects. */
  beforeRun(run: ScheduledRun): Promise<RunDecision>
  /** Never rejects. */
  afterRun(run: ScheduledRun): Promise<void>
}

const MAX_SCHEDULES = 10_000

export function createScheduleControl(options: ScheduleControlOptions): ScheduleControl {
  const {
    documents, effects, isTaskKnown, retryPolicyOf, onError, clock = ownClock(),
    convergeEveryMs = 30_000, watchEveryMs = 10_000, maxSchedules = MAX_SCHEDULES
  } = options
  const { now } = clock
  const { slowReadMs } = budgetsOf(options.patienceMs ?? SERVER_PATIENCE_MS)
  const answerInTime = <Result>(work: () => Promise<Result>) => answeredWithin(slowReadMs, work, 'broker', 'The schedules were not read')
  const store = createScheduleStore(documents)
  const scheduleEffects = createScheduleEffects(store, effects, retryPolicyOf, now)
  const scheduler = new Scheduler(async declared => {
    if (isStarted && !upkeep.isStopped) await confirmed(() => declarations.writeAll([declared]))
  }, options.checkTask?.bind(options))
  const registeredTasks = options.registeredTasks ?? (async () => new Set(await options.taskNames()))
  const reader = createScheduleReader({ store, effects, clock, registeredTasks })
  const ledger = createRunLedger(documents, store, now)
  const onMoved = async (from: string, to: string) => { await options.onMoved?.(from, to).catch(onError) }
  const declarations = createDeclarations({ store, scheduleEffects, ledger, clock, onMoved })
  const attendance = createAttendance({
    documents, localTasks: options.localTasks ?? (() => []), now, silenceMs: watchEveryMs + LATE_AFTER_MS
  })
  const disableWait = createDisableWait({ documents, holder: randomUUID() })
  const unrecorded = createUnrecordedRuns({ store, ledger, attendance, onError })
  const guard = createRunGuard({ documents, store, ledger, attendance, disableWait, unrecorded, clock, onError })
  const mark = createStoreMark(store, now)
  const missingTasks = createMissingTasks({
    taskNames: options.taskNames, registeredTasks, declaredTasks: options.declaredTasks ?? (async () => new Set()), onError,
    now: options.uptimeMs?.bind(options)
  })
  const upkeep = createScheduleUpkeep({
    missingTasks, unrecorded,
    mark, attendance, ledger, clock, onError, convergeEveryMs, watchEveryMs,
    copies: options.copies && createScheduleCopies({ copies: options.copies, store, holder: randomUUID(), now, mayCopy: options.mayCopy }),
    writeDeclared: lostSince => declarations.writeAll(scheduler.declared(), lostSince),
    convergeOnce: createConverge({
      store, effects, scheduleEffects, retryPolicyOf, taskNames: options.taskNames, isStopping: () => upkeep.isStopped,
      pullBack: createPullBack({ store, effects, scheduleEffects, clock, clocksAheadMs: options.clocksAheadMs ?? (async () => 0) })
    }),
    watchOnce: createOverdueWatch({
      documents, holder: randomUUID(), store, effects, ledger, attendance, now, servedTasks: options.servedTasks ?? registeredTasks,
      taskNames: async () => new Set([...await options.taskNames(), ...upkeep.scheduledTasks])
    }),
    onReconnect: effects.onReconnect?.bind(effects)
  })
  const writes = createScheduleWrites({
    store, scheduleEffects, effects, ledger, disableWait, isTaskKnown, registeredTasks, retryPolicyOf, clock, onError, maxSchedules
  })
  let isStarted = false

  return {
    scheduler,
    list: query => answerInTime(() => reader.list(query)),
    count: () => answerInTime(async () => {
      const overdue = upkeep.overdue ?? (await reader.list()).filter(schedule => schedule.overdue).length
      return { ...await reader.count(), overdue }
    }),
    get: scheduleId => answerInTime(() => reader.get(scheduleId)),

    create: writes.create,
    setEnabled: writes.setEnabled,
    update: writes.update,
    delete: writes.delete,
    runNow: writes.runNow,

    misses: scheduleId => answerInTime(async () => await store.get(scheduleId) ? ledger.list(scheduleId) : notFound(scheduleId)),

    agenda: (from, to) => answerInTime(() => reader.agenda(from, to)),

    preview: (timing, { count = 10, from = now() } = {}) => previewRuns(timing, from, count),

    status: upkeep.status,

    async start() {
      if (isStarted) return
      isStarted = true
      await withStoreErrors(upkeep.start)
    },

    async stop() {
      await upkeep.stop()
      await writes.stop()
    },
    converge: upkeep.converge,
    standing: async scheduleIds => new Set((await store.getMany(scheduleIds)).flatMap(found => found?.id ?? [])),
    stopGuarding: guard.stop,
    beforeRun: guard.beforeRun,
    afterRun: guard.afterRun
  }
}

function notFound(scheduleId: string): never {
  throw createTaskDashboardError('SCHEDULE_NOT_FOUND', [scheduleId])
}

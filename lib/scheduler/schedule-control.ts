import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { v7 as uuid } from 'uuid'
import { createTaskDashboardError } from '../errors.ts'
import type { DocumentStore } from '../stores/documents.ts'
import { createAnswerInTime, sayUnavailable } from './answer-in-time.ts'
import { createAttendance } from './attendance.ts'
import { createConverge, SCHEDULE_ID_PREFIX } from './converge.ts'
import { createDeclarations } from './declarations.ts'
import { describeTiming } from './describe-timing.ts'
import { LATE_AFTER_MS } from './late-after.ts'
import { nextRuns } from './next-runs.ts'
import { createOverdueWatch } from './overdue-watch.ts'
import { createRunGuard, OFF_EVERYWHERE_AFTER_MS, type RunDecision, type ScheduledRun } from './run-guard.ts'
import { createRunLedger } from './run-ledger.ts'
import { createScheduleCopies } from './schedule-copies.ts'
import { requireVersion, toApiDocument, toEditedDocument, toSwitchedDocument } from './schedule-document.ts'
import { createScheduleEffects, type RetryPolicyOf, type SchedulerEffects } from './schedule-effects.ts'
import { checkRunsAsked, checkTiming, invalidSchedule, toScheduleDefinition } from './schedule-input.ts'
import { createScheduleReader } from './schedule-reader.ts'
import { createScheduleStore, versionOf, type ScheduleDocument } from './schedule-store.ts'
import { createScheduleUpkeep } from './schedule-upkeep.ts'
import { Scheduler } from './scheduler.ts'
import type { ScheduleRecord, Schedules, ScheduleTiming } from './schedules.ts'
import { createStoreMark } from './store-mark.ts'

export interface ScheduleControlOptions {
  readonly documents: DocumentStore
  readonly effects: SchedulerEffects
  /** Another store than the broker's, for copies of the schedules. Default none. */
  readonly copies?: DocumentStore
  /** Whether a schedule may be copied there; one that may not does not come back from it. Default: each may. */
  mayCopy?(schedule: ScheduleDocument): boolean
  isTaskKnown(taskName: string): Promise<boolean>
  /** Tasks in whose queues effects may stand. */
  taskNames(): Promise<readonly string[]>
  readonly retryPolicyOf: RetryPolicyOf
  /** Tasks that a process registers now. Default: all. */
  registeredTasks?(): Promise<ReadonlySet<string>>
  /** Tasks that this process runs. Default: none. */
  localTasks?(): readonly string[]
  /** Tasks that a process runs now. Default: all. */
  servedTasks?(): Promise<ReadonlySet<string>>
  /** Failures of background work; the next convergence tries again. */
  readonly onError: (error: Error) => void
  readonly now?: () => number
  /** Milliseconds, default 30 000. */
  readonly convergeEveryMs?: number
  /** Milliseconds, default 10 000: how often overdue runs are looked for. */
  readonly watchEveryMs?: number
  /** Default 10 000. */
  readonly maxSchedules?: number
  /** How long a request waits for the store. Milliseconds, default 1500. */
  readonly patienceMs?: number
}

/** Schedules of a queue app in this process: what a dashboard does with them, what code declares, what workers ask. */
export interface ScheduleControl extends Schedules {
  /** For schedules declared in code. */
  readonly scheduler: Scheduler
  /**
   * The store is open and the engine started. Writes what code declared, then converges in the background. Idempotent.
   * Rejects with BROKER_UNAVAILABLE.
   */
  start(): Promise<void>
  /** Idempotent; never rejects. */
  stop(): Promise<void>
  /** Done at start, on reconnect and every 30 s. Never rejects: `status()` tells. */
  converge(): Promise<void>
  /** Gives up what keeps runs from overlapping. Call it when nothing runs any more. */
  stopGuarding(): void
  /** Never rejects. */
  beforeRun(run: ScheduledRun): Promise<RunDecision>
  /** Never rejects. */
  afterRun(run: ScheduledRun): Promise<void>
}

const SCHEDULES_MAX = 10_000

export function createScheduleControl(options: ScheduleControlOptions): ScheduleControl {
  const {
    documents, effects, isTaskKnown, retryPolicyOf, onError, now = Date.now,
    convergeEveryMs = 30_000, watchEveryMs = 10_000, maxSchedules = SCHEDULES_MAX
  } = options
  const answerInTime = createAnswerInTime(options.patienceMs)
  const store = createScheduleStore(documents)
  const scheduleEffects = createScheduleEffects(store, effects, retryPolicyOf, now)
  const scheduler = new Scheduler(async declared => {
    if (isStarted && !upkeep.isStopped) await answerInTime(() => declarations.writeAll([declared]))
  })
  const registeredTasks = options.registeredTasks ?? (async () => new Set(await options.taskNames()))
  const reader = createScheduleReader({ store, effects, now, registeredTasks })
  const ledger = createRunLedger(documents, store, now)
  const declarations = createDeclarations({ store, scheduleEffects, ledger, now })
  const attendance = createAttendance({ documents, localTasks: options.localTasks ?? (() => []), now, silenceMs: watchEveryMs + LATE_AFTER_MS })
  const guard = createRunGuard({ documents, store, ledger, attendance, now, onError })
  const mark = createStoreMark(store, now)
  const upkeep = createScheduleUpkeep({
    mark, attendance, ledger, now, onError, convergeEveryMs, watchEveryMs,
    copies: options.copies && createScheduleCopies({ copies: options.copies, store, holder: randomUUID(), now, mayCopy: options.mayCopy }),
    writeDeclared: lostSince => declarations.writeAll(scheduler.declared(), lostSince),
    convergeOnce: createConverge({ store, effects, scheduleEffects, retryPolicyOf, taskNames: options.taskNames, isStopping: () => upkeep.isStopped }),
    watchOnce: createOverdueWatch({
      documents, holder: randomUUID(), store, effects, ledger, attendance, now, servedTasks: options.servedTasks ?? registeredTasks,
      taskNames: async () => new Set([...await options.taskNames(), ...upkeep.scheduledTasks])
    }),
    onReconnect: effects.onReconnect?.bind(effects)
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

    async create(input) {
      const definition = toScheduleDefinition(input)
      return answerInTime(async () => {
        if (!await isTaskKnown(definition.taskName)) throw taskNotRegistered(definition.taskName)
        await refuseTooMany()
        const scheduleId = `${SCHEDULE_ID_PREFIX}${randomUUID()}`
        await store.change(scheduleId, () => toApiDocument(definition, now()))
        try {
          await scheduleEffects.settle(scheduleId, definition.taskName)
        } catch (error) {
          // The caller is told that it failed and will try again: not to be left with two.
          await store.delete(scheduleId).catch(onError)
          throw error
        }
        return await reader.get(scheduleId) ?? notFound(scheduleId)
      })
    },

    setEnabled: (scheduleId, enabled, by = null) => changeTo(scheduleId, current =>
      current.enabled === enabled ? null : toSwitchedDocument(current, enabled, { at: now(), by })),

    update: (scheduleId, changes, { by = null, ifVersion } = {}) => changeTo(scheduleId, (current, version) => {
      requireVersion(version, ifVersion)
      return toEditedDocument(current, changes, { at: now(), by })
    }),

    delete: scheduleId => answerInTime(async () => {
      const schedule = await store.get(scheduleId)
      if (!schedule || !await store.delete(scheduleId)) return notFound(scheduleId)
      await scheduleEffects.settle(scheduleId, schedule.value.taskName)
      await ledger.forget(scheduleId)
      await setTimeout(OFF_EVERYWHERE_AFTER_MS)
    }),

    runNow: scheduleId => answerInTime(async () => {
      const schedule = await store.get(scheduleId)
      if (!schedule) return notFound(scheduleId)
      const { taskName, args, priority } = schedule.value
      const policy = await isTaskKnown(taskName) && await retryPolicyOf(taskName)
      if (!policy) throw createTaskDashboardError('CONFLICT', [`No process registers the task "${taskName}" of this schedule: start one that does`])
      const executionId = uuid()
      await effects.enqueue([{ ...policy, executionId, taskName, args, priority, scheduleId, delayMs: 0, retryOf: null }])
      return executionId
    }),

    misses: scheduleId => answerInTime(async () => await store.get(scheduleId) ? ledger.list(scheduleId) : notFound(scheduleId)),

    agenda: (from, to) => answerInTime(() => reader.agenda(from, to)),

    preview(timing: ScheduleTiming, { count = 10, from = now() } = {}) {
      checkTiming(timing)
      checkRunsAsked(from, count)
      return { description: describeTiming(timing), timezone: timing.timezone, runs: nextRuns(timing, from, count) }
    },

    status: upkeep.status,

    async start() {
      if (isStarted) return
      isStarted = true
      await sayUnavailable(upkeep.start)
    },

    stop: upkeep.stop,
    converge: upkeep.converge,
    stopGuarding: guard.stop,
    beforeRun: guard.beforeRun,
    afterRun: guard.afterRun
  }

  function changeTo(scheduleId: string, change: (current: ScheduleDocument, version: string) => ScheduleDocument | null): Promise<ScheduleRecord> {
    return answerInTime(async () => {
      const changed = await store.change(scheduleId, (value, version) => value && change(value, versionOf({ id: scheduleId, version, value })))
      if (!changed) return notFound(scheduleId)
      await scheduleEffects.settle(scheduleId, changed.value.taskName)
      if (!changed.value.enabled) await setTimeout(OFF_EVERYWHERE_AFTER_MS)
      return await reader.get(scheduleId) ?? notFound(scheduleId)
    })
  }

  async function refuseTooMany(): Promise<void> {
    if ((await store.list()).length < maxSchedules) return
    throw invalidSchedule([{ pointer: '', message: `there are ${maxSchedules} schedules already; delete some first` }])
  }
}

function taskNotRegistered(taskName: string) {
  const error = createTaskDashboardError('TASK_NOT_REGISTERED', [taskName])
  return Object.assign(error, { errors: [{ pointer: '/task_name', message: 'is not a registered task' }] })
}

function notFound(scheduleId: string): never {
  throw createTaskDashboardError('SCHEDULE_NOT_FOUND', [scheduleId])
}

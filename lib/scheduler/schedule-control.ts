import { randomUUID } from 'node:crypto'
import { createTaskDashboardError } from '../errors.ts'
import type { DocumentStore } from '../stores/documents.ts'
import { answerInTime, sayUnavailable } from './answer-in-time.ts'
import { Scheduler } from './scheduler.ts'
import { createConverge, SCHEDULE_ID_PREFIX } from './converge.ts'
import { describeTiming } from './describe-timing.ts'
import { nextRuns } from './next-runs.ts'
import { createOverdueWatch } from './overdue-watch.ts'
import { createRunGuard, type Presence, type RunDecision, type ScheduledRun } from './run-guard.ts'
import { createRunLedger } from './run-ledger.ts'
import { requireVersion, toApiDocument, toCodeDocument, toEditedDocument, toSwitchedDocument } from './schedule-document.ts'
import { createScheduleCopies } from './schedule-copies.ts'
import { createScheduleEffects, type RetryPolicyOf, type SchedulerEffects } from './schedule-effects.ts'
import { checkRunsAsked, checkTiming, invalidSchedule, toScheduleDefinition, type ScheduleDefinition } from './schedule-input.ts'
import { createScheduleReader } from './schedule-reader.ts'
import { createScheduleStore, versionOf, type ScheduleDocument } from './schedule-store.ts'
import type { ScheduleRecord, Schedules, ScheduleTiming } from './schedules.ts'
import { createStoreMark } from './store-mark.ts'

export interface ScheduleControlOptions {
  readonly documents: DocumentStore
  readonly effects: SchedulerEffects
  /** Another store than the broker's, for copies of the schedules. Default none. */
  readonly copies?: DocumentStore
  isTaskKnown(taskName: string): Promise<boolean>
  /** Tasks in whose queues effects may stand. */
  taskNames(): Promise<readonly string[]>
  readonly retryPolicyOf: RetryPolicyOf
  /** Tasks that a process registers now, and since when processes run a task. Default: all are, since ever. */
  registeredTasks?(): Promise<ReadonlySet<string>>
  workersSince?(taskName: string): Promise<number | null>
  /** Failures of background work; the next convergence tries again. */
  readonly onError: (error: Error) => void
  readonly now?: () => number
  /** Milliseconds, default 30 000. */
  readonly convergeEveryMs?: number
  /** Milliseconds, default 10 000: how often overdue runs are looked for. */
  readonly watchEveryMs?: number
  /** Default 10 000. */
  readonly maxSchedules?: number
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
  const store = createScheduleStore(documents)
  const scheduleEffects = createScheduleEffects(store, effects, retryPolicyOf, now)
  const presence: Presence = {
    workersSince: options.workersSince ?? (async () => 0),
    brokerBackAt: () => brokerBackAt
  }
  const registeredTasks = options.registeredTasks ?? (async () => new Set(await options.taskNames()))
  const reader = createScheduleReader({ store, effects, now, registeredTasks })
  const copies = options.copies && createScheduleCopies(options.copies, store, randomUUID())
  const ledger = createRunLedger(documents, store, now)
  const guard = createRunGuard({ documents, store, ledger, presence, now, onError })
  const watchOnce = createOverdueWatch({
    documents, holder: randomUUID(), store, effects, ledger, presence, now,
    taskNames: async () => new Set([...await options.taskNames(), ...scheduledTasks])
  })
  const mark = createStoreMark(store, now)
  const convergeOnce = createConverge({
    store, effects, scheduleEffects, retryPolicyOf, taskNames: options.taskNames, isStopping: () => isStopped
  })
  const scheduler = new Scheduler(async (scheduleId, definition) => {
    if (isStarted && !isStopped) await answerInTime(() => writeDeclared(scheduleId, definition))
  })
  let isStarted = false
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  let forgetReconnects: (() => void) | undefined
  let converging: Promise<void> | undefined
  let problem: string | null = null
  let total: number | null = null
  let overdue = 0
  let watchTimer: NodeJS.Timeout | undefined
  let watching: Promise<void> | undefined
  /** Tasks with schedules, as last converged: theirs may be registered by nobody any more. */
  let scheduledTasks: ReadonlySet<string> = new Set()
  let brokerBackAt: number | null = null
  let isBrokerAway = false
  let seenAt: number | null = null

  return {
    scheduler,
    list: query => answerInTime(() => reader.list(query)),
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
    }),

    runNow: scheduleId => answerInTime(async () => {
      const schedule = await store.get(scheduleId)
      if (!schedule) return notFound(scheduleId)
      const { taskName, args, priority } = schedule.value
      const policy = await isTaskKnown(taskName) && await retryPolicyOf(taskName)
      if (!policy) throw createTaskDashboardError('CONFLICT', [`No process registers the task "${taskName}" of this schedule: start one that does`])
      const executionId = randomUUID()
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

    status() {
      if (problem !== null) return { healthy: false, message: problem }
      if (overdue > 0) return { healthy: false, message: `${overdue} ${overdue === 1 ? 'schedule is' : 'schedules are'} overdue: their runs are due and no worker takes them` }
      const found = total === null ? 'not converged yet' : `${total} ${total === 1 ? 'schedule' : 'schedules'}`
      return { healthy: true, message: mark.lostAt === null ? found : `${found}; the broker lost its data at ${new Date(mark.lostAt).toISOString()}, ${copies ? 'schedules' : 'schedules declared in code'} were written again` }
    },

    async start() {
      if (isStarted) return
      isStarted = true
      await sayUnavailable(async () => {
        await mark.check()
        await writeAllDeclared()
      })
      forgetReconnects = effects.onReconnect?.(() => { void converge() })
      timer = setInterval(() => { void converge() }, convergeEveryMs).unref()
      watchTimer = setInterval(() => { void watch() }, watchEveryMs).unref()
      void converge()
    },

    async stop() {
      isStopped = true
      clearInterval(timer)
      forgetReconnects?.()
      clearInterval(watchTimer)
      await converging
      await watching
    },

    converge,
    stopGuarding: guard.stop,
    beforeRun: guard.beforeRun,
    afterRun: guard.afterRun
  }

  function converge(): Promise<void> {
    if (isStopped) return Promise.resolve()
    converging ??= runConverge().finally(() => { converging = undefined })
    return converging
  }

  function changeTo(scheduleId: string, change: (current: ScheduleDocument, version: string) => ScheduleDocument | null): Promise<ScheduleRecord> {
    return answerInTime(async () => {
      const changed = await store.change(scheduleId, (value, version) => value && change(value, versionOf({ id: scheduleId, version, value })))
      if (!changed) return notFound(scheduleId)
      await scheduleEffects.settle(scheduleId, changed.value.taskName)
      return await reader.get(scheduleId) ?? notFound(scheduleId)
    })
  }

  function watch(): Promise<void> {
    watching ??= watchOnce()
      .then(found => {
        overdue = found
        sawBroker(true)
      })
      .catch((error: Error) => {
        sawBroker(false)
        onError(error)
      })
      .finally(() => { watching = undefined })
    return watching
  }

  /** What was due while the broker was away could not be taken by anybody. */
  function sawBroker(isThere: boolean): void {
    if (isThere && isBrokerAway) brokerBackAt = now()
    if (isThere) seenAt = now()
    isBrokerAway = !isThere
  }

  async function runConverge(): Promise<void> {
    try {
      // What was due since the broker was seen last was missed; what was before, its lost books say no more.
      const lostSince = seenAt ?? now()
      if (await mark.check()) await writeAllDeclared(lostSince)
      sawBroker(true)
      await restoreWhenLost(lostSince).catch(onError)
      const schedules = await convergeOnce()
      // Another loss in between would empty the copies, too.
      if (copies && !isStopped && !await mark.check()) await copies.follow(schedules, mark.current!).catch(onError)
      total = schedules.length
      scheduledTasks = new Set(schedules.map(({ value }) => value.taskName))
      problem = null
    } catch (error) {
      sawBroker(false)
      problem = 'The schedules could not be brought in line with the broker; the next attempt follows'
      onError(error as Error)
    }
  }

  async function restoreWhenLost(since: number): Promise<void> {
    if (!await copies?.isLost(mark.current!)) return
    mark.lost()
    await copies!.restore(mark.current!, since)
  }

  async function writeAllDeclared(since?: number): Promise<void> {
    for (const [scheduleId, definition] of scheduler.declared()) await writeDeclared(scheduleId, definition, since)
  }

  async function writeDeclared(scheduleId: string, definition: ScheduleDefinition, since?: number): Promise<void> {
    const { value, isChanged } = await declare(scheduleId, definition, since)
    if (isChanged) await scheduleEffects.settle(scheduleId, value.taskName)
  }

  async function declare(scheduleId: string, definition: ScheduleDefinition, since?: number) {
    let isChanged = false
    const written = await store.change(scheduleId, current => {
      const next = toCodeDocument(definition, current, now())
      isChanged = next !== null
      return next && current === null && since !== undefined ? { ...next, activeSince: since } : next
    })
    return { value: written!.value, isChanged }
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

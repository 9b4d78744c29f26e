import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { v7 as uuid } from 'uuid'
import { withDeadline } from '../../time/deadline.ts'
import { createTaskDashboardError } from '../../errors.ts'
import type { StoreClock } from '../../stores/store-clock.ts'
import { asRead } from '../../stores/read-lane.ts'
import { confirmed, withStoreErrors } from '../../stores/failures/unavailable.ts'
import { EFFECT_WITHIN_MS } from '../../time/budgets.ts'
import { SCHEDULE_ID_PREFIX } from '../effects/converge.ts'
import type { DisableWait } from '../runs/disable-wait.ts'
import type { RunLedger } from '../runs/run-ledger.ts'
import { requireVersion, toApiDocument, toEditedDocument, toSwitchedDocument } from './schedule-document.ts'
import { isSame, type RetryPolicyOf, type ScheduleEffects, type SchedulerEffects } from '../effects/schedule-effects.ts'
import { invalidSchedule, toScheduleDefinition } from './schedule-input.ts'
import { toRecord } from '../schedule-reader.ts'
import { versionOf, type ScheduleDocument, type ScheduleStore, type StoredSchedule } from './schedule-store.ts'
import type { ScheduleRecord, Schedules } from '../schedules.ts'

interface ScheduleWritesDependencies {
  readonly store: ScheduleStore
  readonly scheduleEffects: ScheduleEffects
  readonly effects: SchedulerEffects
  readonly ledger: RunLedger
  readonly disableWait: Pick<DisableWait, 'untilNoRunStarts'>
  isTaskKnown(taskName: string): Promise<boolean>
  registeredTasks(): Promise<ReadonlySet<string>>
  readonly retryPolicyOf: RetryPolicyOf
  readonly clock: StoreClock
  readonly onError: (error: Error) => void
  readonly maxSchedules: number
}

/** Pauses between attempts to finish a write. After the last one, the next convergence finishes it. */
const FINISH_PAUSES_MS = [0, 250, 1_000, 3_000]
/** How long a stop waits for unfinished work. Another process finishes the rest, or this one after its next start. */
const STOP_WITHIN_MS = 2_000

/**
 * The dashboard's changes. Each write has a single step that makes it take effect. Everything the response needs is read before that step,
 * so that nothing is done that cannot be reported. After it, nothing can make the write fail.
 */
export function createScheduleWrites(dependencies: ScheduleWritesDependencies) {
  const {
    store, scheduleEffects, effects, ledger, disableWait, isTaskKnown, registeredTasks, retryPolicyOf, clock, onError, maxSchedules
  } = dependencies
  const { now } = clock
  const unfinished = new Set<Promise<void>>()
  let isStopped = false

  return {
    async create(input, { id, isRepeated } = { id: randomUUID(), isRepeated: false }, isOfTask = () => true) {
      const definition = toScheduleDefinition(input)
      const { taskName } = definition
      const scheduleId = `${SCHEDULE_ID_PREFIX}${id}`
      const [isKnown, registered, standing] = await withStoreErrors(() => Promise.all([
        asRead(() => isTaskKnown(taskName)), asRead(registeredTasks), isRepeated ? store.get(scheduleId) : null, clock.set()
      ]))
      if (!isOfTask(taskName) || !isKnown && !standing) throw taskNotRegistered(taskName)
      const schedule = standing ?? await confirmed(() => store.create(scheduleId, toApiDocument(definition, clock.latest()), maxSchedules))
      if (schedule === null)
        throw invalidSchedule([{ pointer: '', message: `there are ${maxSchedules} schedules already; delete some first` }])
      if (standing) void settleSoon(scheduleId, taskName)
      else await followSoon(null, schedule)
      return toRecord(schedule, { planned: null, missed: 0, late: 0, taskRegistered: registered.has(taskName), at: now() })
    },

    setEnabled: (scheduleId, enabled, by = null) => changeTo(scheduleId, current =>
      current.enabled === enabled ? null : toSwitchedDocument(current, enabled, { at: clock.latest(), by })),

    update: (scheduleId, changes, { by = null, ifVersion } = {}) => changeTo(scheduleId, (current, version) => {
      requireVersion(version, ifVersion)
      return toEditedDocument(current, changes, { at: clock.latest(), by })
    }),

    async delete(scheduleId) {
      const schedule = await withStoreErrors(() => store.get(scheduleId))
      if (!schedule) return notFound(scheduleId)
      // Even if someone else deletes it at the same time: it is gone.
      await confirmed(() => store.delete(scheduleId))
      await Promise.all([
        settleSoon(scheduleId, schedule.value.taskName), soon(() => ledger.forget(scheduleId)), disableWait.untilNoRunStarts()
      ])
    },

    async runNow(scheduleId, { id: executionId } = { id: uuid(), isRepeated: false }) {
      // The registry is read in parallel, so that the next lookups of the task find it cached.
      const [schedule] = await withStoreErrors(() => Promise.all([store.get(scheduleId), asRead(registeredTasks)]))
      if (!schedule) return notFound(scheduleId)
      const { taskName, args, priority } = schedule.value
      const policy = await withStoreErrors(async () => await isTaskKnown(taskName) && await retryPolicyOf(taskName))
      if (!policy)
        throw createTaskDashboardError('CONFLICT', [`No process registers the task "${taskName}" of this schedule: start one that does`])
      await confirmed(() => effects.enqueue([{ ...policy, executionId, taskName, args, priority, scheduleId, delayMs: 0, retryOf: null }]))
      return executionId
    },

    settleSoon,

    /** Waits a while for writes that are still being finished. Never rejects. */
    async stop(): Promise<void> {
      isStopped = true
      await withDeadline(Promise.all(unfinished), STOP_WITHIN_MS, 'not finished').catch(() => {})
    }
  } satisfies Partial<Schedules> & Record<string, unknown>

  async function changeTo(
    scheduleId: string, change: (current: ScheduleDocument, version: string) => ScheduleDocument | null
  ): Promise<ScheduleRecord> {
    const [before, { missed, late }, registered] = await withStoreErrors(() => Promise.all([
      store.get(scheduleId), asRead(() => store.missedAndLate([scheduleId])), asRead(registeredTasks), clock.set()
    ]))
    if (!before) return notFound(scheduleId)
    const { taskName } = before.value
    const planning = plannedRun(taskName, scheduleId)
    let replaced: StoredSchedule = before
    const schedule = await confirmed(() => store.change(scheduleId, (value, version) => {
      if (value === null) return null
      replaced = { id: scheduleId, version, value }
      return change(value, versionOf(replaced))
    }, before))
    if (!schedule) return notFound(scheduleId)

    const isWritten = !isSame(replaced, schedule)
    await Promise.all([
      isWritten ? followSoon(replaced, schedule) : settleSoon(scheduleId, taskName),
      schedule.value.enabled ? undefined : disableWait.untilNoRunStarts()
    ])
    // The change is stored. If it cannot be compared now, report the run as not planned yet.
    const isPlannedAnew = isWritten && !await scheduleEffects.isSameEffect(replaced, schedule).catch(() => false)
    return toRecord(schedule, {
      planned: isPlannedAnew ? null : await planning, missed: missed[0] ?? 0, late: late[0] ?? 0, taskRegistered: registered.has(taskName),
      at: now()
    })
  }

  /** Read while the definition is written. Only a due run that no worker has taken affects the response. */
  async function plannedRun(taskName: string, scheduleId: string): Promise<number | null> {
    const standing = await asRead(() => effects.listSchedulers([taskName])).catch(() => [])
    return standing.find(each => each.scheduleId === scheduleId)?.nextRunAt ?? null
  }

  /** Applies a definition that was just written, then checks whether another process has changed it. */
  function followSoon(before: StoredSchedule | null, written: StoredSchedule): Promise<void> {
    const { id, value: { taskName } } = written
    const following = scheduleEffects.follow(before, written)
    void finish(async attempt => {
      if (attempt > 0) return void await scheduleEffects.settle(id, taskName)
      await following
      if (!isSame(written, await store.get(id))) await scheduleEffects.settle(id, taskName)
    })
    return shortly(following)
  }

  function settleSoon(scheduleId: string, taskName: string): Promise<void> {
    return soon(async () => { await scheduleEffects.settle(scheduleId, taskName) })
  }

  function soon(work: () => Promise<void>): Promise<void> {
    return shortly(finish(work))
  }

  /** Retries the follow-up work of a write that took effect. Never rejects. */
  function finish(work: (attempt: number) => Promise<void>): Promise<void> {
    const finishing = (async () => {
      for (const [attempt, pauseMs] of FINISH_PAUSES_MS.entries()) {
        if (pauseMs > 0) await sleep(pauseMs, undefined, { ref: false })
        if (isStopped && attempt > 0) return
        try {
          return await work(attempt)
        } catch (error) {
          if (attempt === FINISH_PAUSES_MS.length - 1) onError(error as Error)
        }
      }
    })().finally(() => unfinished.delete(finishing))
    unfinished.add(finishing)
    return finishing
  }
}

/** Resolves with `work`, or after a short wait whatever its outcome. */
async function shortly(work: Promise<void>): Promise<void> {
  await withDeadline(work, EFFECT_WITHIN_MS, 'not yet').catch(() => {})
}

function taskNotRegistered(taskName: string) {
  const error = createTaskDashboardError('TASK_NOT_REGISTERED', [taskName])
  return Object.assign(error, { errors: [{ pointer: '/task_name', message: 'is not a registered task' }] })
}

function notFound(scheduleId: string): never {
  throw createTaskDashboardError('SCHEDULE_NOT_FOUND', [scheduleId])
}

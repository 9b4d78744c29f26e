import { describeSkew, type StoreClock } from '../stores/store-clock.ts'
import { isTaskDashboardError } from '../errors.ts'
import { isDefect } from '../stores/failures/unavailable.ts'
import type { Attendance } from './runs/attendance.ts'
import type { Converged } from './effects/converge.ts'
import { isReadable, nextDueTimeOf } from './timing/due-times.ts'
import { LATE_AFTER_MS, MAX_CLOCK_SKEW_MS } from './runs/late-after.ts'
import type { MissingTasks } from './runs/missing-tasks.ts'
import type { Miss, RunLedger } from './runs/run-ledger.ts'
import type { ScheduleCopies } from './definitions/schedule-copies.ts'
import type { UnrecordedRuns } from './runs/unrecorded-runs.ts'
import type { StoredSchedule } from './definitions/schedule-store.ts'
import type { SchedulerStatus } from './schedules.ts'
import type { StoreMark } from './definitions/store-mark.ts'

interface ScheduleUpkeepDependencies {
  readonly mark: StoreMark
  readonly copies: ScheduleCopies | undefined
  readonly attendance: Pick<Attendance, 'begin' | 'note' | 'brokerAway' | 'end' | 'of'>
  readonly ledger: RunLedger
  readonly clock: StoreClock
  readonly missingTasks: MissingTasks
  readonly unrecorded: Pick<UnrecordedRuns, 'record'>
  readonly onError: (error: Error) => void
  readonly convergeEveryMs: number
  readonly watchEveryMs: number
  /** @param lostSince if the broker lost its data: runs that did not happen from then on count as missed */
  writeDeclared(lostSince?: number): Promise<void>
  /** Brings the BullMQ schedulers in line. */
  convergeOnce(): Promise<Converged>
  /** Resolves with the number of overdue schedules. */
  watchOnce(): Promise<number>
  onReconnect?: ((listener: () => void) => () => void) | undefined
}

/** Background work: converging, checking for overdue runs, restoring what the broker lost. */
export function createScheduleUpkeep(dependencies: ScheduleUpkeepDependencies) {
  const {
    mark, copies, attendance, ledger, clock, missingTasks, unrecorded, onError, writeDeclared, convergeOnce, watchOnce
  } = dependencies
  const timers: NodeJS.Timeout[] = []
  let forgetReconnects: (() => void) | undefined
  let isStarted = false
  let isStopped = false
  let converging: Promise<void> | undefined
  let watching: Promise<void> | undefined
  let problem: string | null = null
  let total: number | null = null
  let areCopiesRead = true
  let overdue: number | null = null
  /** When the data that the broker has lost was last seen. Set until everything is restored. */
  let lostSince: number | null = null
  /** Tasks with schedules, at the last convergence. Some may no longer be registered. */
  let scheduledTasks: ReadonlySet<string> = new Set()
  /** Number of enabled schedules per task, at the last convergence. */
  let enabledByTask: ReadonlyMap<string, number> = new Map()

  return {
    /** Rejects with the datastore's own error. */
    async start(): Promise<void> {
      await clock.set()
      const { seenAt } = mark
      await mark.check()
      // Before the code's declarations, because copies also have the operators' edits.
      if (await restoreWhenLost(seenAt)) lostSince = seenAt
      await writeDeclared()
      await attendance.begin()
      isStarted = true
      forgetReconnects = dependencies.onReconnect?.(() => { void converge() })
      timers.push(setInterval(() => { void converge() }, dependencies.convergeEveryMs).unref())
      timers.push(setInterval(() => { void watch() }, dependencies.watchEveryMs).unref())
      void converge()
    },

    /** Idempotent; never rejects. */
    async stop(): Promise<void> {
      isStopped = true
      for (const timer of timers) clearInterval(timer)
      forgetReconnects?.()
      await converging
      await watching
      await unrecorded.record()
      // This process counts as present until here, so that the next process does not have to guess.
      if (isStarted) await attendance.end()
    },

    converge,

    get isStopped() {
      return isStopped
    },

    get scheduledTasks() {
      return scheduledTasks
    },

    /** How many schedules were overdue at the last check; null before the first. */
    get overdue() {
      return overdue
    },

    status(): SchedulerStatus {
      if (problem !== null) return { healthy: false, message: problem }
      if (Math.abs(clock.aheadMs()) > MAX_CLOCK_SKEW_MS)
        return {
          healthy: false,
          message:
            `The clock of this process is ${describeSkew(clock.aheadMs())}: correct it, because a worker starts due runs by its own clock`
        }
      const unserved = [overdueText(overdue ?? 0), withoutTaskText(missingTasks.schedules)].filter(text => text !== null)
      if (unserved.length > 0) return { healthy: false, message: unserved.join('; ') }
      const leftOut = copies && copies.leftOut > 0
        ? `, ${copies.leftOut} of them without a copy in the result backend, because redaction hides their arguments`
        : ''
      const found = total === null ? 'not converged yet' : schedules(total) + leftOut
      if (mark.lostAt === null) return { healthy: true, message: found }
      return {
        healthy: true,
        message:
          `${found}; the broker lost its data at ${new Date(mark.lostAt).toISOString()}, schedules declared in ` +
            `code${ofCopies()} were written again`
      }
    }
  }

  /** Schedules created over the API without a copy were not restored. */
  function ofCopies(): string {
    if (!copies) return ''
    return areCopiesRead
      ? ' and those with a copy in the result backend'
      : ' (not yet those with a copy in the result backend, which cannot be read)'
  }

  function converge(): Promise<void> {
    if (isStopped) return Promise.resolve()
    converging ??= runConverge().finally(() => { converging = undefined })
    return converging
  }

  function watch(): Promise<void> {
    watching ??= runWatch().finally(() => { watching = undefined })
    return watching
  }

  async function runWatch(): Promise<void> {
    try {
      await clock.set()
      await attendance.note()
      await unrecorded.record()
      overdue = await watchOnce()
      await missingTasks.look(enabledByTask)
      if (!await mark.isStanding()) void converge()
    } catch (error) {
      await lookForBroker()
      onError(error as Error)
    }
  }

  async function runConverge(): Promise<void> {
    try {
      await clock.set()
      // The lost ledgers do not say what ran before the loss. So everything due since the data was last seen counts as missed.
      const { seenAt } = mark
      if (await mark.check()) lostSince ??= seenAt
      await attendance.note()
      if (await restoreWhenLost(lostSince ?? seenAt)) lostSince ??= seenAt
      if (lostSince !== null) await writeDeclared(lostSince)
      const { schedules: found, failures } = await convergeOnce()
      if (lostSince !== null) await missLost(found, lostSince)
      lostSince = null
      await missEnded(found)
      // If the copies could not be read, or data was lost again in between, this would delete them, because the lost schedules are not in
      // the list.
      if (copies && areCopiesRead && !isStopped && !await mark.check()) await copies.follow(found, mark.current!).catch(onError)
      total = found.length
      scheduledTasks = new Set(found.map(({ value }) => value.taskName))
      enabledByTask = countByTask(found)
      problem = failures.length === 0 ? null : `${schedules(failures.length)} cannot be planned by this process: ${reasonOf(failures[0]!)}`
      if (failures.length > 0) onError(failures[0]!)
    } catch (error) {
      await lookForBroker()
      problem = isDefect(error)
        ? 'The schedules could not be planned because of a bug; the server\'s log has the error'
        : isTaskDashboardError(error) && error.code === 'STORE_REFUSED' ? `The schedules could not be planned. ${error.message}`
          : 'The schedules could not be brought in line with the broker; the next attempt follows'
      onError(error as Error)
    }
  }

  /** Checks the broker, because the error may have another cause. */
  async function lookForBroker(): Promise<void> {
    await mark.isStanding().catch(attendance.brokerAway)
  }

  async function restoreWhenLost(since: number): Promise<boolean> {
    try {
      const isLost = await copies?.isLost(mark.current!) === true
      if (isLost) {
        mark.lost()
        await copies!.restore(mark.current!, since)
      }
      areCopiesRead = true
      return isLost
    } catch (error) {
      areCopiesRead = false
      onError(error as Error)
      return false
    }
  }

  /** Records runs that were due while the data was gone. The next run that would detect them may be months away. */
  async function missLost(found: readonly StoredSchedule[], since: number): Promise<void> {
    if (isStopped) return
    const planned = found.filter(({ value }) => value.enabled && isReadable(value))
    const books = await ledger.readMany(planned.map(({ id }) => id))
    await ledger.missMany(planned.map((schedule, index) => ({
      schedule, from: since + 1, to: clock.now(), reasonAt: () => 'broker_away', books: books[index]!
    })))
  }

  /** Records the remaining misses of schedules that have ended, because no later run would detect them. */
  async function missEnded(found: readonly StoredSchedule[]): Promise<void> {
    const until = clock.now() - LATE_AFTER_MS
    const ended = found.filter(({ id, value }) =>
      value.enabled && value.endAt !== null && isReadable(value) && nextDueTimeOf(id, value, until) === null)
    if (isStopped || ended.length === 0) return
    const books = await ledger.readMany(ended.map(({ id }) => id))
    const misses: Miss[] = []
    for (const [index, schedule] of ended.entries()) {
      const from = ledger.firstNotRun(schedule, books[index]!, until + 1)
      if (from === null) continue
      const { reasonAt } = await attendance.of(schedule.value.taskName, from)
      misses.push({ schedule, to: until, reasonAt, books: books[index]! })
    }
    await ledger.missMany(misses)
  }
}

function reasonOf(failure: Error): string {
  return isTaskDashboardError(failure) ? failure.message : 'a bug; the server\'s log has the error'
}

/** Null for none. */
export function overdueText(count: number): string | null {
  return count === 0 ? null : `${schedules(count)} ${count === 1 ? 'is' : 'are'} overdue: runs are due, but no worker takes them`
}

function withoutTaskText(count: number): string | null {
  return count === 0
    ? null
    : `${schedules(count)} ` +
      `${count === 1 ? 'names a task that no process registers: its' : 'name tasks that no process registers: their'} ` +
      'runs are missed until one does'
}

function countByTask(found: readonly StoredSchedule[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { value: { enabled, taskName } } of found) if (enabled) counts.set(taskName, (counts.get(taskName) ?? 0) + 1)
  return counts
}

function schedules(count: number): string {
  return `${count} ${count === 1 ? 'schedule' : 'schedules'}`
}

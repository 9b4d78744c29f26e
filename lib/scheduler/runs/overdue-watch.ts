import { setImmediate } from 'node:timers/promises'
import type { DocumentStore } from '../../stores/documents/documents.ts'
import type { Attendance } from './attendance.ts'
import { SCHEDULE_ID_PREFIX } from '../effects/converge.ts'
import { isReadable } from '../timing/due-times.ts'
import { LATE_AFTER_MS } from './late-after.ts'
import type { Miss, RunLedger } from './run-ledger.ts'
import type { SchedulerEffects } from '../effects/schedule-effects.ts'
import type { ScheduleStore, StoredSchedule } from '../definitions/schedule-store.ts'

interface OverdueWatchDependencies {
  readonly documents: DocumentStore
  readonly holder: string
  readonly store: ScheduleStore
  readonly effects: Pick<SchedulerEffects, 'listSchedulers'>
  readonly ledger: RunLedger
  readonly attendance: Pick<Attendance, 'of'>
  readonly now: () => number
  /** Tasks whose queues may contain BullMQ schedulers. */
  taskNames(): Promise<Iterable<string>>
  /** Tasks that some process currently runs. */
  servedTasks(): Promise<ReadonlySet<string>>
}

const LEASE_MS = 15_000

/**
 * Finds due runs that no worker took. Every process counts them for its health. One process at a time records runs as missed if no process
 * is there to run them. The overdue run itself counts as missed only if it may not catch up.
 * @returns a function that does it and resolves with the number of overdue schedules
 */
export function createOverdueWatch(
  { documents, holder, store, effects, ledger, attendance, now, taskNames, servedTasks }: OverdueWatchDependencies
) {
  return async function watchOverdue(): Promise<number> {
    const until = now() - LATE_AFTER_MS
    const overdue = await overdueSince(until)
    const served = overdue.length === 0 ? new Set<string>() : await servedTasks()
    const abandoned = overdue.filter(({ schedule }) => !served.has(schedule.value.taskName))
    if (abandoned.length === 0 || !await documents.acquireLease('overdue', holder, LEASE_MS)) return overdue.length
    const books = await ledger.readMany(abandoned.map(({ schedule }) => schedule.id))
    const misses: Miss[] = []
    for (const [index, { schedule, nextRunAt }] of abandoned.entries()) {
      if (index % 100 === 99) await setImmediate()
      const but = schedule.value.catchUp === 'none' ? null : nextRunAt
      // Start at the ledger's end: the worker that took the previous run planned this one by its own clock, and may have skipped due times.
      const from = ledger.firstNotRun(schedule, books[index]!, until + 1, but)
      if (from === null) continue
      const absences = await attendance.of(schedule.value.taskName, Math.min(from, nextRunAt))
      // A process that was present a moment ago is being replaced, so the run still waits.
      if ((absences.longest(nextRunAt, now())?.ms ?? 0) <= LATE_AFTER_MS) continue
      misses.push({ schedule, to: until, but, reasonAt: absences.reasonAt, books: books[index]! })
    }
    await ledger.missMany(misses)
    return overdue.length
  }

  async function overdueSince(until: number): Promise<Overdue[]> {
    const standing = (await effects.listSchedulers([...await taskNames()]))
      .filter(({ scheduleId, nextRunAt }) => scheduleId.startsWith(SCHEDULE_ID_PREFIX) && nextRunAt < until)
    const schedules = await store.getMany(standing.map(({ scheduleId }) => scheduleId))
    return standing.flatMap(({ nextRunAt }, index) => {
      const schedule = schedules[index]
      // The last run of a schedule that has ended may exist until the next convergence.
      const isDue = schedule?.value.enabled && isReadable(schedule.value) &&
        nextRunAt <= (schedule.value.endAt ?? Infinity) + schedule.value.jitterMs
      return isDue ? [{ schedule, nextRunAt }] : []
    })
  }
}

interface Overdue {
  readonly schedule: StoredSchedule
  readonly nextRunAt: number
}

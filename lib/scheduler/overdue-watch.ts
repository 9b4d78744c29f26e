import type { DocumentStore } from '../stores/documents.ts'
import { SCHEDULE_ID_PREFIX } from './converge.ts'
import { LATE_AFTER_MS, type Presence } from './run-guard.ts'
import type { RunLedger } from './run-ledger.ts'
import type { SchedulerEffects } from './schedule-effects.ts'
import type { ScheduleStore } from './schedule-store.ts'

interface OverdueWatchDependencies {
  readonly documents: DocumentStore
  readonly holder: string
  readonly store: ScheduleStore
  readonly effects: SchedulerEffects
  readonly ledger: RunLedger
  readonly presence: Pick<Presence, 'workersSince'>
  readonly now: () => number
  /** Tasks in whose queues effects may stand. */
  taskNames(): Promise<Iterable<string>>
}

const LEASE_MS = 15_000

/**
 * Looks for runs that are due and that nobody took. Every process counts them, for its health; one at a time puts down as missed
 * what no process is there to run. The overdue run itself is missed only where no run may catch up.
 * @returns a function that does it and resolves with how many schedules are overdue
 */
export function createOverdueWatch({ documents, holder, store, effects, ledger, presence, now, taskNames }: OverdueWatchDependencies) {
  return async function watchOverdue(): Promise<number> {
    const until = now() - LATE_AFTER_MS
    let count = 0
    for (const taskName of await taskNames()) {
      const overdue = (await effects.listSchedulers(taskName))
        .filter(({ scheduleId, nextRunAt }) => scheduleId.startsWith(SCHEDULE_ID_PREFIX) && nextRunAt < until)
      if (overdue.length === 0) continue
      const schedules = await store.getMany(overdue.map(({ scheduleId }) => scheduleId))
      const isAbandoned = await presence.workersSince(taskName) === null && await documents.acquireLease('overdue', holder, LEASE_MS)
      for (const [index, schedule] of schedules.entries()) {
        // The last run of a schedule that has ended may stand until the next convergence.
        if (!schedule?.value.enabled || overdue[index]!.nextRunAt > (schedule.value.endAt ?? Infinity) + schedule.value.jitterMs) continue
        count++
        const { nextRunAt } = overdue[index]!
        if (isAbandoned) await ledger.miss(schedule, schedule.value.catchUp === 'none' ? nextRunAt : nextRunAt + 1, until, 'no_worker')
      }
    }
    return count
  }
}

import { inTurns } from '../../collections/in-turns.ts'
import type { ScheduleStore } from '../definitions/schedule-store.ts'
import type { Absences, Attendance } from './attendance.ts'
import { LATE_AFTER_MS } from './late-after.ts'
import type { AccountedRun, RunLedger } from './run-ledger.ts'

/** A run that started although the run ledger could not be written. */
export interface UnrecordedRun extends Omit<AccountedRun, 'outcome'> {
  readonly scheduleId: string
  /** How late it started, in milliseconds. */
  readonly lateMs: number
}

export type UnrecordedRuns = ReturnType<typeof createUnrecordedRuns>

interface UnrecordedRunsDependencies {
  readonly store: Pick<ScheduleStore, 'get'>
  readonly ledger: Pick<RunLedger, 'read' | 'hasRun' | 'firstNotRun' | 'account'>
  readonly attendance: Pick<Attendance, 'of'>
  readonly onError: (error: Error) => void
}

/** Far more than start during an outage. Beyond it, a run is not remembered, and the next run of its schedule counts it as missed. */
const MAX_RUNS = 10_000

/**
 * Remembers runs that started while the datastore was unavailable, and records them later. Otherwise the next run of their schedule would
 * count them as missed. They are lost if the process is killed before that.
 */
export function createUnrecordedRuns({ store, ledger, attendance, onError }: UnrecordedRunsDependencies) {
  const runs = new Map<string, UnrecordedRun>()

  return {
    /** Of a run that began several times, the first time counts. */
    add(run: UnrecordedRun): void {
      if (runs.size < MAX_RUNS && !runs.has(run.executionId)) runs.set(run.executionId, run)
    },

    /**
     * Records what it remembers. Never rejects: after the first error it waits for the next call.
     * @param scheduleId only the runs of this schedule. Default: all
     */
    async record(scheduleId?: string): Promise<void> {
      try {
        await inTurns([...runs.values()].filter(run => scheduleId === undefined || run.scheduleId === scheduleId), async run => {
          // Two calls at the same time must not both record it.
          if (!runs.delete(run.executionId)) return
          await recordOne(run).catch(error => {
            runs.set(run.executionId, run)
            throw error
          })
        })
      } catch (error) {
        onError(error as Error)
      }
    }
  }

  async function recordOne({ scheduleId, executionId, dueAt, lateMs }: UnrecordedRun): Promise<void> {
    const [schedule, books] = await Promise.all([store.get(scheduleId), ledger.read(scheduleId)])
    if (schedule === null || ledger.hasRun(schedule, books, dueAt)) return
    const absences = await attendance.of(schedule.value.taskName, ledger.firstNotRun(schedule, books, dueAt) ?? dueAt, true)
    await ledger.account(schedule, { executionId, dueAt, outcome: startedRun(absences, dueAt, lateMs) }, absences.reasonAt, books)
  }
}

/** How a run is recorded that started this many milliseconds after it was due. */
export function startedRun(absences: Absences, dueAt: number, lateMs: number): Extract<AccountedRun['outcome'], 'run' | { late: unknown }> {
  if (lateMs <= LATE_AFTER_MS) return 'run'
  const absence = absences.longest(dueAt, dueAt + lateMs)
  return { late: absence !== null && (absence.ms > LATE_AFTER_MS || 2 * absence.ms > lateMs) ? absence.reason : 'busy', lateMs }
}

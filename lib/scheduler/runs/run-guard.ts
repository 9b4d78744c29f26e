import type { DocumentStore } from '../../stores/documents/documents.ts'
import type { StoreClock } from '../../stores/store-clock.ts'
import type { Absences, Attendance } from './attendance.ts'
import { LATE_AFTER_MS } from './late-after.ts'
import type { DisableWait } from './disable-wait.ts'
import type { AccountedRun, RunLedger } from './run-ledger.ts'
import type { ScheduleStore } from '../definitions/schedule-store.ts'
import { startedRun, type UnrecordedRuns } from './unrecorded-runs.ts'

/** A run of a schedule that is about to start or just ended. */
export interface ScheduledRun {
  readonly scheduleId: string
  readonly executionId: string
  /** Milliseconds since the epoch. */
  readonly dueAt: number
  /** Whether a process took it before and failed, died or handed it back. A run that has started is always resumed. Default false. */
  readonly wasTaken?: boolean
  /** False if it was requested manually: then it always runs. Default true. */
  readonly isPlanned?: boolean
}

/**
 * `disabled`: the schedule is disabled or deleted. `overlap`: the previous run is still running and the rule is `skip`. `outage`: it was
 * due while nothing could run it, and the rule is not to catch up.
 */
export type RunDecision = 'run' | 'disabled' | 'overlap' | 'outage'

/** Long enough for a busy process to renew in time, short enough to free a schedule soon after its process died. */
const LEASE_MS = 30_000
const RENEW_MS = 10_000

/** How often a schedule is read again at most, if the store gets slower with every read. */
const MAX_READS = 5

interface RunGuardDependencies {
  readonly documents: DocumentStore
  readonly store: ScheduleStore
  readonly ledger: RunLedger
  readonly attendance: Pick<Attendance, 'of'>
  readonly disableWait: Pick<DisableWait, 'withinMs' | 'announce'>
  readonly unrecorded: Pick<UnrecordedRuns, 'add' | 'record'>
  readonly clock: StoreClock
  readonly onError: (error: Error) => void
}

/**
 * Workers call this around each run of a schedule. While the datastore is unavailable, runs are allowed: an extra run is better than one
 * that silently never happens. Such a run is recorded later.
 */
export function createRunGuard(
  { documents, store, ledger, attendance, disableWait, unrecorded, clock, onError }: RunGuardDependencies
) {
  const renewals = new Map<string, NodeJS.Timeout>()

  return {
    async beforeRun(run: ScheduledRun): Promise<RunDecision> {
      const lateMs = clock.now() - run.dueAt
      try {
        await unrecorded.record(run.scheduleId)
        return await decide(run)
      } catch (error) {
        onError(error as Error)
        if (run.isPlanned !== false) unrecorded.add({ ...run, lateMs })
        return 'run'
      }
    },

    /** Call it after every `beforeRun` that returned `run`. */
    async afterRun({ scheduleId, executionId }: ScheduledRun): Promise<void> {
      await releaseLeaseOf(scheduleId, executionId)
    },

    /** Runs may continue: `afterRun` releases their leases, or they expire. */
    stop() {
      for (const renewal of renewals.values()) clearInterval(renewal)
    }
  }

  async function decide({ scheduleId, executionId, dueAt, wasTaken = false, isPlanned = true }: ScheduledRun): Promise<RunDecision> {
    const readAt = performance.now()
    const mayBeLeftOut = isPlanned && !wasTaken
    const [schedule, books] = await Promise.all([store.get(scheduleId), isPlanned ? ledger.read(scheduleId) : null, clock.set()])
    const readMs = performance.now() - readAt
    if (!schedule?.value.enabled && mayBeLeftOut) return 'disabled'
    if (schedule === null) return 'run'

    const lateMs = clock.now() - dueAt
    const isLate = isPlanned && lateMs > LATE_AFTER_MS
    const since = isPlanned ? ledger.firstNotRun(schedule, books, dueAt) : null
    const absences = isLate || since !== null ? await attendance.of(schedule.value.taskName, since ?? dueAt, true) : NONE
    const account = (outcome: AccountedRun['outcome']) =>
      ledger.account(schedule, { executionId, dueAt, outcome }, absences.reasonAt, books)

    const absence = absences.longest(dueAt, dueAt + lateMs)
    const isAfterOutage = isLate && absence !== null && absence.ms > LATE_AFTER_MS
    if (mayBeLeftOut && isAfterOutage && schedule.value.catchUp === 'none') {
      await account({ leftOut: absence.reason })
      return 'outage'
    }
    if (schedule.value.overlap === 'skip' && !await takeLease(scheduleId, executionId) && mayBeLeftOut) {
      await account({ leftOut: 'overlap' })
      return 'overlap'
    }
    // A run that was taken before is in the ledger, unless its process died before writing it.
    const isInBooks = !isPlanned || (wasTaken && ledger.hasRun(schedule, books, dueAt))
    let isRecorded = true
    const accounting = isInBooks
      ? Promise.resolve()
      : account(startedRun(absences, dueAt, lateMs)).catch(error => {
        isRecorded = false
        onError(error as Error)
      })
    const mayStart = !mayBeLeftOut || await isStillEnabled(scheduleId, { readAt, readMs, accounting })
    await accounting
    if (mayStart) {
      if (!isRecorded) unrecorded.add({ scheduleId, executionId, dueAt, lateMs })
      return 'run'
    }
    await releaseLeaseOf(scheduleId, executionId)
    await ledger.takeBack(schedule, { executionId, dueAt }, absences.reasonAt).catch(onError)
    return 'disabled'
  }

  /** A disable may have been confirmed since, so a schedule that was read too long ago is read again. */
  async function isStillEnabled(scheduleId: string, { accounting, ...first }: FirstReading): Promise<boolean> {
    let { readAt, readMs } = first
    async function readAgain(): Promise<boolean> {
      await disableWait.announce(readMs).catch(onError)
      readAt = performance.now()
      const found = await store.get(scheduleId)
      readMs = performance.now() - readAt
      return found?.value.enabled === true
    }
    // Writing the ledger takes another call, which would take too long. So the schedule is read during that call.
    if (performance.now() - readAt + readMs > disableWait.withinMs && !await readAgain()) return false
    await accounting
    for (let reads = 0; performance.now() - readAt > disableWait.withinMs && reads < MAX_READS; reads++) {
      if (!await readAgain()) return false
    }
    return true
  }

  async function takeLease(scheduleId: string, executionId: string): Promise<boolean> {
    const lease = leaseOf(scheduleId)
    if (!await documents.acquireLease(lease, executionId, LEASE_MS)) return false
    clearInterval(renewals.get(executionId))
    const renewal = setInterval(() => { documents.acquireLease(lease, executionId, LEASE_MS).catch(onError) }, RENEW_MS)
    renewals.set(executionId, renewal.unref())
    return true
  }

  async function releaseLeaseOf(scheduleId: string, executionId: string): Promise<void> {
    if (!renewals.has(executionId)) return
    clearInterval(renewals.get(executionId))
    renewals.delete(executionId)
    await documents.releaseLease(leaseOf(scheduleId), executionId).catch(onError)
  }
}

interface FirstReading {
  readonly readAt: number
  readonly readMs: number
  /** Writes the ledger in the meantime; never rejects. */
  readonly accounting: Promise<unknown>
}

/** For a run that starts on time and follows directly on the previous one. */
const NONE: Absences = { longest: () => null, reasonAt: () => 'busy' }

function leaseOf(scheduleId: string): string {
  return `overlap:${scheduleId}`
}

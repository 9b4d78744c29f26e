import type { DocumentStore } from '../../stores/documents/documents.ts'
import type { StoreClock } from '../../stores/store-clock.ts'
import type { Absences, Attendance } from './attendance.ts'
import { LATE_AFTER_MS } from './late-after.ts'
import type { DisableWait } from './disable-wait.ts'
import type { AccountedRun, RunLedger } from './run-ledger.ts'
import type { ScheduleStore } from '../definitions/schedule-store.ts'

/** A run that a schedule made, about to start or just ended. */
export interface ScheduledRun {
  readonly scheduleId: string
  readonly executionId: string
  /** Milliseconds since the epoch. */
  readonly dueAt: number
  /**
   * Whether a process took it before: one that failed, was lost, or handed it back. What was started is always taken up again. Default
   * false.
   */
  readonly wasTaken?: boolean
  /** False for one that somebody asked for: it always runs. Default true. */
  readonly isPlanned?: boolean
}

/**
 * `disabled`: the schedule is disabled or deleted. `overlap`: the run before it still runs and its rule is `skip`. `outage`: it
 * was due while nothing could run it, and its rule is not to catch up.
 */
export type RunDecision = 'run' | 'disabled' | 'overlap' | 'outage'

/** Long enough for a busy process to renew in time, short enough to free a schedule soon after its process died. */
const LEASE_MS = 30_000
const RENEW_MS = 10_000

/** For a store that is slower each time it is asked. */
const MAX_READS = 5

interface RunGuardDependencies {
  readonly documents: DocumentStore
  readonly store: ScheduleStore
  readonly ledger: RunLedger
  readonly attendance: Pick<Attendance, 'of'>
  readonly disableWait: Pick<DisableWait, 'withinMs' | 'announce'>
  readonly clock: StoreClock
  readonly onError: (error: Error) => void
}

/**
 * Asked by workers around each run of a schedule. While the datastore is out of reach runs are let in: a run too many is
 * easier to bear than one that silently never happened.
 */
export function createRunGuard({ documents, store, ledger, attendance, disableWait, clock, onError }: RunGuardDependencies) {
  const renewals = new Map<string, NodeJS.Timeout>()

  return {
    async beforeRun(run: ScheduledRun): Promise<RunDecision> {
      try {
        return await decide(run)
      } catch (error) {
        onError(error as Error)
        return 'run'
      }
    },

    /** Call it after every `beforeRun` that answered `run`. */
    async afterRun({ scheduleId, executionId }: ScheduledRun): Promise<void> {
      await giveLeaseBack(scheduleId, executionId)
    },

    /** Runs may still go on: their leases are given back by `afterRun`, or end by themselves. */
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
    const lateReason = absence !== null && (absence.ms > LATE_AFTER_MS || 2 * absence.ms > lateMs) ? absence.reason : 'busy'
    // One that was taken before is in the books, unless its process was lost before it wrote them.
    const isInBooks = !isPlanned || (wasTaken && ledger.hasRun(schedule, books, dueAt))
    const accounting = isInBooks ? Promise.resolve() : account(isLate ? { late: lateReason, lateMs } : 'run').catch(onError)
    const isLetIn = !mayBeLeftOut || await isStillEnabled(scheduleId, { readAt, readMs, accounting })
    await accounting
    if (isLetIn) return 'run'
    await giveLeaseBack(scheduleId, executionId)
    await ledger.takeBack(schedule, { executionId, dueAt }, absences.reasonAt).catch(onError)
    return 'disabled'
  }

  /** Somebody may have been told meanwhile that the schedule is off: what was read too long ago is read again. */
  async function isStillEnabled(scheduleId: string, { accounting, ...first }: FirstReading): Promise<boolean> {
    let { readAt, readMs } = first
    async function readAgain(): Promise<boolean> {
      await disableWait.announce(readMs).catch(onError)
      readAt = performance.now()
      const found = await store.get(scheduleId)
      readMs = performance.now() - readAt
      return found?.value.enabled === true
    }
    // The books take a call more, which would make it too long: it is read during that call.
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

  async function giveLeaseBack(scheduleId: string, executionId: string): Promise<void> {
    if (!renewals.has(executionId)) return
    clearInterval(renewals.get(executionId))
    renewals.delete(executionId)
    await documents.releaseLease(leaseOf(scheduleId), executionId).catch(onError)
  }
}

interface FirstReading {
  readonly readAt: number
  readonly readMs: number
  /** Writes the books meanwhile; never rejects. */
  readonly accounting: Promise<unknown>
}

/** For a run that starts in time after the one before it. */
const NONE: Absences = { longest: () => null, reasonAt: () => 'busy' }

function leaseOf(scheduleId: string): string {
  return `overlap:${scheduleId}`
}

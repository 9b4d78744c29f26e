import type { MissReason } from '../../schemas/schedule.ts'
import type { DocumentStore } from '../stores/documents.ts'
import type { AccountedRun, RunLedger } from './run-ledger.ts'
import type { ScheduleStore, StoredSchedule } from './schedule-store.ts'

/** A run that a schedule made, about to start or just ended. */
export interface ScheduledRun {
  readonly scheduleId: string
  readonly executionId: string
  /** Milliseconds since the epoch. */
  readonly dueAt: number
  /** 1 for the first, the default. A later attempt belongs to a run that was let in: it always runs. */
  readonly attempt?: number
  /** False for one that somebody asked for: it always runs. Default true. */
  readonly isPlanned?: boolean
}

/**
 * `disabled`: the schedule is disabled or deleted. `overlap`: the run before it still runs and its rule is `skip`. `outage`: it
 * was due while nothing could run it, and its rule is not to catch up.
 */
export type RunDecision = 'run' | 'disabled' | 'overlap' | 'outage'

/** Since when runs of a task could have been taken, milliseconds since the epoch. */
export interface Presence {
  /** Oldest of the processes that run the task now; null when there is none. */
  workersSince(taskName: string): Promise<number | null>
  /** When the broker was found back last; null when it was never away. */
  brokerBackAt(): number | null
}

/** A run that starts later than this after it was due is late, and one that nobody took until then is overdue. */
export const LATE_AFTER_MS = 30_000

/** Long enough for a busy process to renew in time, short enough to free a schedule soon after its process died. */
const LEASE_MS = 30_000
const RENEW_MS = 10_000

interface RunGuardDependencies {
  readonly documents: DocumentStore
  readonly store: ScheduleStore
  readonly ledger: RunLedger
  readonly presence: Presence
  readonly now: () => number
  readonly onError: (error: Error) => void
}

/**
 * Asked by workers around each run of a schedule. While the datastore is out of reach runs are let in: a run too many is
 * easier to bear than one that silently never happened.
 */
export function createRunGuard({ documents, store, ledger, presence, now, onError }: RunGuardDependencies) {
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
      const renewal = renewals.get(executionId)
      if (!renewal) return
      clearInterval(renewal)
      renewals.delete(executionId)
      await documents.releaseLease(leaseOf(scheduleId), executionId).catch(onError)
    },

    /** Runs may still go on: their leases are given back by `afterRun`, or end by themselves. */
    stop() {
      for (const renewal of renewals.values()) clearInterval(renewal)
    }
  }

  async function decide({ scheduleId, executionId, dueAt, attempt = 1, isPlanned = true }: ScheduledRun): Promise<RunDecision> {
    const schedule = await store.get(scheduleId)
    const mayBeLeftOut = isPlanned && attempt === 1
    if (!schedule?.value.enabled && mayBeLeftOut) return 'disabled'
    if (schedule === null) return 'run'
    const account = (outcome: AccountedRun['outcome'], present: Present) =>
      ledger.account(schedule, { executionId, dueAt, outcome }, since => reasonOf(since, present))

    const present = mayBeLeftOut ? await presentSince(schedule) : { workers: 0, broker: 0 }
    const lateMs = now() - dueAt
    const isLate = mayBeLeftOut && lateMs > LATE_AFTER_MS
    const isAfterOutage = isLate && Math.max(present.workers, present.broker) > dueAt + LATE_AFTER_MS
    if (isAfterOutage && schedule.value.catchUp === 'none') {
      await account({ leftOut: reasonOf(dueAt, present) }, present)
      return 'outage'
    }
    if (schedule.value.overlap === 'skip' && !await takeLease(scheduleId, executionId) && mayBeLeftOut) {
      await account({ leftOut: 'overlap' }, present)
      return 'overlap'
    }
    if (mayBeLeftOut) await account(isLate ? { late: reasonOf(dueAt, present), lateMs } : 'run', present).catch(onError)
    return 'run'
  }

  async function presentSince({ value: { taskName } }: StoredSchedule): Promise<Present> {
    return { workers: await presence.workersSince(taskName) ?? 0, broker: presence.brokerBackAt() ?? 0 }
  }

  async function takeLease(scheduleId: string, executionId: string): Promise<boolean> {
    const lease = leaseOf(scheduleId)
    if (!await documents.acquireLease(lease, executionId, LEASE_MS)) return false
    clearInterval(renewals.get(executionId))
    const renewal = setInterval(() => { documents.acquireLease(lease, executionId, LEASE_MS).catch(onError) }, RENEW_MS)
    renewals.set(executionId, renewal.unref())
    return true
  }
}

interface Present {
  readonly workers: number
  readonly broker: number
}

function reasonOf(since: number, { workers, broker }: Present): MissReason {
  if (broker > since) return 'broker_away'
  return workers > since ? 'process_down' : 'busy'
}

function leaseOf(scheduleId: string): string {
  return `overlap:${scheduleId}`
}

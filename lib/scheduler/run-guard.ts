import type { MissReason } from '../../schemas/schedule.ts'
import type { DocumentStore } from '../stores/documents.ts'
import type { Absence } from './absence.ts'
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
  readonly absence: Absence
}

/** A run that starts later than this after it was due is late, and one that nobody took until then is overdue. */
export const LATE_AFTER_MS = 30_000

/** Long enough for a busy process to renew in time, short enough to free a schedule soon after its process died. */
const LEASE_MS = 30_000
const RENEW_MS = 10_000

/** A run starts at most this long after its schedule was read. */
const LET_IN_WITHIN_MS = 100
/** For a store that takes longer than that to answer, again and again. */
const READS_MAX = 10
/** So long after a schedule was switched off no process starts a run of it any more, with some time for a busy event loop. */
export const OFF_EVERYWHERE_AFTER_MS = 150

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
      await giveLeaseBack(scheduleId, executionId)
    },

    /** Runs may still go on: their leases are given back by `afterRun`, or end by themselves. */
    stop() {
      for (const renewal of renewals.values()) clearInterval(renewal)
    }
  }

  async function decide({ scheduleId, executionId, dueAt, attempt = 1, isPlanned = true }: ScheduledRun): Promise<RunDecision> {
    const readAt = performance.now()
    const mayBeLeftOut = isPlanned && attempt === 1
    const [schedule, books] = await Promise.all([store.get(scheduleId), mayBeLeftOut ? ledger.read(scheduleId) : null])
    presence.absence.sawBroker(true)
    if (!schedule?.value.enabled && mayBeLeftOut) return 'disabled'
    if (schedule === null) return 'run'
    const account = (outcome: AccountedRun['outcome'], present: Present) =>
      ledger.account(schedule, { executionId, dueAt, outcome }, since => reasonOf(since, present), books)

    const present = mayBeLeftOut ? await presentSince(schedule) : NOT_ASKED
    const lateMs = now() - dueAt
    const isLate = mayBeLeftOut && lateMs > LATE_AFTER_MS
    const isAfterOutage = isLate && Math.max(present.process, present.broker) > dueAt + LATE_AFTER_MS
    if (isAfterOutage && schedule.value.catchUp === 'none') {
      await account({ leftOut: reasonOf(dueAt, present) }, present)
      return 'outage'
    }
    if (schedule.value.overlap === 'skip' && !await takeLease(scheduleId, executionId) && mayBeLeftOut) {
      await account({ leftOut: 'overlap' }, present)
      return 'overlap'
    }
    if (!mayBeLeftOut) return 'run'
    await account(isLate ? { late: reasonOf(dueAt, present), lateMs } : 'run', present).catch(onError)
    if (await isStillEnabled(scheduleId, readAt)) return 'run'
    await giveLeaseBack(scheduleId, executionId)
    return 'disabled'
  }

  /** Somebody may have been told meanwhile that the schedule is off: what was read long ago is read again. */
  async function isStillEnabled(scheduleId: string, firstReadAt: number): Promise<boolean> {
    let readAt = firstReadAt
    for (let reads = 0; performance.now() - readAt > LET_IN_WITHIN_MS && reads < READS_MAX; reads++) {
      readAt = performance.now()
      if (!(await store.get(scheduleId))?.value.enabled) return false
    }
    return true
  }

  async function presentSince({ value: { taskName } }: StoredSchedule): Promise<Present> {
    const { awakeSince, brokerBackAt } = presence.absence
    return { process: Math.max(await presence.workersSince(taskName) ?? 0, awakeSince ?? 0), broker: brokerBackAt ?? 0 }
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

/** Since when each was there without a break, milliseconds since the epoch. */
interface Present {
  readonly process: number
  readonly broker: number
}

const NOT_ASKED: Present = { process: 0, broker: 0 }

function reasonOf(since: number, { process, broker }: Present): MissReason {
  if (broker > since) return 'broker_away'
  return process > since ? 'process_down' : 'busy'
}

function leaseOf(scheduleId: string): string {
  return `overlap:${scheduleId}`
}

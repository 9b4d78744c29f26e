import type { DocumentStore } from '../stores/documents.ts'
import { countCronRuns, parseCron } from './cron.ts'
import type { ScheduleStore, StoredTiming } from './schedule-store.ts'

/** A run that a schedule made, about to start or just ended. */
export interface ScheduledRun {
  readonly scheduleId: string
  readonly executionId: string
  /** Milliseconds since the epoch. */
  readonly dueAt: number
  /** 1 for the first, the default. A later attempt belongs to a run that was let in: it always runs. */
  readonly attempt?: number
}

/** `disabled`: the schedule is disabled or deleted. `overlap`: the run before it still runs and its rule is `skip`. */
export type RunDecision = 'run' | 'disabled' | 'overlap'

/** Long enough for a busy process to renew in time, short enough to free a schedule soon after its process died. */
const LEASE_MS = 30_000
const RENEW_MS = 10_000

/** Enough to tell a bad day from a good one; a longer outage counts this many. */
const MISSED_AT_ONCE_MAX = 1000

interface RunGuardDependencies {
  readonly documents: DocumentStore
  readonly store: ScheduleStore
  readonly now: () => number
  readonly onError: (error: Error) => void
}

/**
 * Asked by workers around each run of a schedule. While the datastore is out of reach runs are let in: a run too many is
 * easier to bear than one that silently never happened.
 */
export function createRunGuard({ documents, store, now, onError }: RunGuardDependencies) {
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

  async function decide({ scheduleId, executionId, dueAt, attempt = 1 }: ScheduledRun): Promise<RunDecision> {
    const schedule = (await store.get(scheduleId))?.value
    const isFirstAttempt = attempt === 1
    if (!schedule?.enabled && isFirstAttempt) return 'disabled'
    if (schedule?.overlap === 'skip' && !await takeLease(scheduleId, executionId) && isFirstAttempt) {
      await store.addMissed(scheduleId, 1)
      return 'overlap'
    }
    const passed = schedule && isFirstAttempt ? countPassedBy(schedule.timing, dueAt, now()) : 0
    if (passed > 0) store.addMissed(scheduleId, passed).catch(onError)
    return 'run'
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

/** Due instants between the one of this run and now: the engine plans the next run from now on and leaves them out. */
export function countPassedBy(timing: StoredTiming, dueAt: number, at: number): number {
  if (at <= dueAt) return 0
  if ('intervalMs' in timing) return Math.min(Math.floor((at - dueAt) / timing.intervalMs), MISSED_AT_ONCE_MAX)
  return countCronRuns(parseCron(timing.cron, timing.timezone), dueAt, at, MISSED_AT_ONCE_MAX)
}

function leaseOf(scheduleId: string): string {
  return `overlap:${scheduleId}`
}

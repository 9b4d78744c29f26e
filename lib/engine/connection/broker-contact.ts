import { setTimeout as sleep } from 'node:timers/promises'
import type { IQueueBackend } from 'bullmq'
import { storeRefusalOf } from '../../stores/failures/store-refusal.ts'
import { isTransientError } from './transient-error.ts'
import { pauseAfter, TRIED_AGAIN_WITHIN_MS } from './until-accepted.ts'

/** An outage shorter than this costs no locks: half of their lifetime is left when they are renewed. */
const SHORT_OUTAGE_MS = 5_000
/** After an outage, every process reports or renews its locks within this time. Only then is a silent process presumed dead. */
const GRACE_MS = 15_000
/** A refused call is retried within 30 s. An older refusal says nothing about the present. */
const REFUSAL_KEPT_MS = 40_000
const REFUSED_WITHIN_MS = 2_000
/** A process that just started cannot know about an outage that just ended. Clients that were refused get this long to retry. */
const FIRST_CHECK_AFTER_MS = 3 * TRIED_AGAIN_WITHIN_MS

/** Whether a queue's worker reaches the broker, on the connections that it takes executions with. */
export interface BrokerContact {
  /** Milliseconds since the broker last answered this worker, by a monotonic clock. */
  silentForMs(): number
  /** Why the broker refuses this worker's calls, and will until someone fixes it: part of a sentence. Null while it accepts them. */
  refusal(): string | null
  /** Ends pauses and stops retries. */
  readonly abandoned: AbortController
}

/**
 * Watches the calls that a worker makes to its backend, and changes three of them:
 * - After an error, taking an execution pauses. BullMQ would retry at once.
 * - After an error the worker asks for an execution before it waits again. BullMQ has already taken the marker that said when the next one
 *   is due, and would wait for up to 10 s.
 * - Stalled executions are not collected during an outage, when no one can renew a lock, nor shortly after.
 */
export function keepContact(backend: IQueueBackend): BrokerContact {
  const abandoned = new AbortController()
  let reachedAt = performance.now()
  let lostSince: number | null = null
  let outageEndedAt = -Infinity
  /** By call name: some calls may be refused while others are not. */
  const refusals = new Map<string, { readonly reason: string; readonly at: number }>()

  function note(name: string, error: unknown): void {
    const reason = storeRefusalOf(error)?.reason
    if (reason !== undefined) refusals.set(name, { reason, at: performance.now() })
  }

  async function watched<Result>(name: keyof IQueueBackend, call: () => Promise<Result>): Promise<Result> {
    const begun = performance.now()
    try {
      const result = await call()
      const now = performance.now()
      // The Redis client waits while the server is down instead of failing.
      if (now - Math.min(lostSince ?? begun, begun) > SHORT_OUTAGE_MS) outageEndedAt = now
      lostSince = null
      reachedAt = now
      refusals.delete(name)
      return result
    } catch (error) {
      note(name, error)
      if (isTransientError(error)) lostSince ??= begun
      throw error
    }
  }

  const { moveToActive, waitForJob, extendLocks, moveToCompleted, moveToFailed, moveToDelayed, retryJob } = backend
  const { moveJobFromActiveToWait, moveStalledJobsToWait } = backend
  let failures = 0
  let waitFailures = 0
  /** An execution may be due whose marker was lost. */
  let mustAsk = false
  Object.assign(backend, {
    async moveToActive(...args) {
      try {
        const next = await watched<unknown[]>('moveToActive', () => moveToActive.apply(backend, args))
        failures = 0
        mustAsk = false
        return next
      } catch (error) {
        mustAsk = true
        await pauseAfter(failures++, { signal: abandoned.signal })
        throw error
      }
    },
    async waitForJob(...args) {
      if (mustAsk) return null
      // A refusal comes at once, so a wait that lasts was accepted.
      const allowed = setTimeout(() => { refusals.delete('waitForJob') }, REFUSED_WITHIN_MS).unref()
      try {
        const marker = await waitForJob.apply(backend, args)
        waitFailures = 0
        refusals.delete('waitForJob')
        return marker
      } catch (error) {
        note('waitForJob', error)
        mustAsk = true
        // BullMQ pauses for 100 ms each time. A wait that ends because the worker closes is not a failure.
        clearTimeout(allowed)
        if (waitFailures++ > 0) await pauseAfter(waitFailures - 1, { signal: abandoned.signal })
        throw error
      } finally {
        clearTimeout(allowed)
      }
    },
    extendLocks: (...args) => watched('extendLocks', () => extendLocks.apply(backend, args)),
    moveToCompleted: (...args) => watched('moveToCompleted', () => moveToCompleted.apply(backend, args)),
    moveToFailed: (...args) => watched('moveToFailed', () => moveToFailed.apply(backend, args)),
    moveToDelayed: (...args) => watched('moveToDelayed', () => moveToDelayed.apply(backend, args)),
    retryJob: (...args) => watched('retryJob', () => retryJob.apply(backend, args)),
    moveJobFromActiveToWait: (...args) => watched('moveJobFromActiveToWait', () => moveJobFromActiveToWait.apply(backend, args)),
    async moveStalledJobsToWait() {
      await firstCheck
      if (backend.closing || lostSince !== null || performance.now() - outageEndedAt < GRACE_MS) return []
      return await watched<string[]>('moveStalledJobsToWait', () => moveStalledJobsToWait.call(backend))
    }
  } satisfies Partial<IQueueBackend>)
  const firstCheck = sleep(FIRST_CHECK_AFTER_MS, undefined, { ref: false, signal: abandoned.signal }).catch(() => {})

  return {
    abandoned,
    silentForMs: () => performance.now() - reachedAt,
    refusal() {
      const since = performance.now() - REFUSAL_KEPT_MS
      return [...refusals.values()].find(({ at }) => at > since)?.reason ?? null
    }
  }
}

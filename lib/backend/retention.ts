import { setTimeout as sleep } from 'node:timers/promises'
import type { DocumentStore } from '../stores/documents.ts'
import { OVERLAP_MS } from './reconciler.ts'
import { ALWAYS_KEPT_MS } from './recorder.ts'
import type { ResultBackend, RetentionPolicy } from './result-backend.ts'

export interface RetentionOptions {
  readonly backend: Pick<ResultBackend, 'prune' | 'watermark'>
  readonly policy: RetentionPolicy
  /** Tasks that the reconciler compares with the broker. */
  readonly taskNames: () => Promise<readonly string[]>
  /**
   * The earliest finish of what recorders of any process still have to write, milliseconds since the epoch; null when there is
   * nothing. The reconciler may have brought it meanwhile.
   */
  readonly unwrittenSince: () => Promise<number | null>
  /** So that one process at a time does it, of all that share the broker. */
  readonly leases: Pick<DocumentStore, 'acquireLease' | 'releaseLease'>
  /** Names this process. */
  readonly holder: string
  /** Default a minute. */
  readonly everyMs?: number
  /** Executions removed at a time. Default 1,000. */
  readonly stepSize?: number
  /** Called when a pass fails, once until one succeeds again. */
  readonly onError: (error: Error) => void
}

/** Keeps the history within its policy, in small steps, so that nobody waits for it. */
export interface Retention {
  /** The first pass starts after `everyMs`. */
  start(): void
  /** Ends the pass that runs, after its step, and gives the lease back. Idempotent; never rejects. */
  stop(): Promise<void>
  /** One pass. @returns how many executions were removed, or null when another process is doing it. Rejects with the first error. */
  runOnce(): Promise<number | null>
  /** One sentence for health, null when all is well. */
  problem(): string | null
}

const LEASE = 'result-backend:retention'
const LEASE_MS = 60_000
/** A step that failed once, or waits for a while, is no news: the backend's own state is told elsewhere. */
const SHOWN_AFTER_MS = 10 * 60_000

export function createRetention(options: RetentionOptions): Retention {
  const { backend, policy, taskNames, unwrittenSince, leases, holder, everyMs = 60_000, stepSize = 1_000, onError } = options
  const stopping = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let running: Promise<number | null> | undefined
  let failingSinceMs: number | null = null
  let waitingSinceMs: number | null = null

  const retention: Retention = {
    start() {
      if (stopping.signal.aborted || timer !== undefined) return
      timer = setTimeout(() => {
        // runOnce() keeps the error.
        void retention.runOnce().catch(() => {}).finally(() => {
          timer = undefined
          retention.start()
        })
      }, everyMs).unref()
    },
    async stop() {
      stopping.abort()
      clearTimeout(timer)
      await running?.catch(() => {})
      await leases.releaseLease(LEASE, holder).catch(() => {})
    },
    runOnce() {
      return (running ??= pass().then(removed => {
        failingSinceMs = null
        return removed
      }, (error: unknown) => {
        if (failingSinceMs === null && !stopping.signal.aborted) onError(error instanceof Error ? error : new Error(String(error)))
        failingSinceMs ??= Date.now()
        throw error
      }).finally(() => { running = undefined }))
    },
    problem() {
      const sinceMs = failingSinceMs ?? waitingSinceMs
      if (sinceMs === null || Date.now() - sinceMs < SHOWN_AFTER_MS) return null
      const at = new Date(sinceMs).toISOString()
      return failingSinceMs === null
        ? `The history may grow beyond its retention: what is over it waits for executions that are not recorded yet, since ${at}`
        : `The history grows beyond its retention: removing what is over it fails since ${at}`
    }
  }
  return retention

  async function pass(): Promise<number | null> {
    let removed = 0
    while (!stopping.signal.aborted) {
      if (!await leases.acquireLease(LEASE, holder, LEASE_MS)) {
        waitingSinceMs = null
        return removed === 0 ? null : removed
      }
      const nowMs = Date.now()
      const keepAfterMs = await settledUntil(nowMs)
      waitingSinceMs = keepAfterMs === null || keepAfterMs < nowMs - SHOWN_AFTER_MS ? waitingSinceMs ?? nowMs : null
      if (keepAfterMs === null) break
      const step = await backend.prune(policy, { nowMs, keepAfterMs, limit: stepSize })
      removed += step.removed
      if (!step.more || step.removed === 0) break
      // As long as it worked, so that it takes half of the backend's time at most.
      await sleep(Math.max(10, Date.now() - nowMs), undefined, { signal: stopping.signal }).catch(() => {})
    }
    return removed
  }

  /** What finished then or before will not be written again; null while there is a task that the reconciler never looked at. */
  async function settledUntil(nowMs: number): Promise<number | null> {
    let until = nowMs - ALWAYS_KEPT_MS
    for (const taskName of await taskNames()) {
      const watermark = await backend.watermark(taskName)
      if (watermark === null) return null
      // The reconciler reads again what finished at its start, too.
      until = Math.min(until, watermark - OVERLAP_MS - 1)
    }
    const unwritten = await unwrittenSince()
    return unwritten === null ? until : Math.min(until, unwritten - 1)
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import { createLeasedLoop, type Turn, type Upkeep, type UpkeepOptions } from './leased-loop.ts'
import { ALWAYS_KEPT_MS } from './recorder.ts'
import type { OrphanedTotals } from './orphaned-totals.ts'
import type { ResultBackend, RetentionPolicy } from '../result-backend.ts'
import { MINUTE_MS } from '../../time/units.ts'

export interface RetentionOptions extends UpkeepOptions {
  readonly backend: Pick<ResultBackend, 'prune'>
  readonly policy: RetentionPolicy
  /** Tidied in the same pass. Default none. */
  readonly totals?: OrphanedTotals
  /** The broker's clock. */
  readonly now: () => Promise<number>
  /** See `BrokerMark`. */
  readonly brokerHasAfter: () => Promise<number>
  /**
   * The earliest finish time that any process's recorder still has to write, milliseconds since the epoch; null when there is none. The
   * reconciler may already have recorded it.
   */
  readonly unwrittenSince: () => Promise<number | null>
  /** Executions removed per step. Default 1,000. */
  readonly stepSize?: number
}

/**
 * Keeps the history within its policy, in small steps that block no one. A pass returns how many it removed. The first starts after
 * `everyMs`.
 */
export type Retention = Upkeep

/** A short failure or wait is not worth reporting: health reports the backend's own state elsewhere. */
const SHOWN_AFTER_MS = 10 * MINUTE_MS

export function createRetention(options: RetentionOptions): Retention {
  const {
    backend, policy, totals, now, brokerHasAfter, unwrittenSince, leases, holder, everyMs = MINUTE_MS, stepSize = 1_000, onError
  } = options
  const loop = createLeasedLoop({ lease: 'result-backend:retention', leases, holder, everyMs, startsAtOnce: false, pass, onError })
  let waitingSinceMs: number | null = null

  return {
    start: loop.start,
    stop: loop.stop,
    runOnce: loop.runOnce,
    problem() {
      const failingSinceMs = loop.failingSinceMs()
      const sinceMs = failingSinceMs ?? waitingSinceMs
      if (sinceMs === null || Date.now() - sinceMs < SHOWN_AFTER_MS) return null
      const at = new Date(sinceMs).toISOString()
      return failingSinceMs === null
        ? `The history may exceed its retention: since ${at}, pruning waits for executions that are not recorded yet`
        : `The history exceeds its retention: pruning has failed since ${at}`
    }
  }

  async function pass({ signal, holdLease }: Turn): Promise<number | null> {
    let removed = 0
    while (!signal.aborted) {
      if (!await holdLease()) {
        waitingSinceMs = null
        return removed === 0 ? null : removed
      }
      const startedAt = performance.now()
      const [nowMs, brokerHasAfterMs, unwritten] = await Promise.all([now(), brokerHasAfter(), unwrittenSince()])
      // Executions still queued in a recorder may already be recorded. Keep them until that process has written them.
      const keepAfterMs = Math.min(nowMs - ALWAYS_KEPT_MS, (unwritten ?? Infinity) - 1)
      waitingSinceMs = keepAfterMs < nowMs - SHOWN_AFTER_MS ? waitingSinceMs ?? Date.now() : null
      const step = await backend.prune(policy, { nowMs, keepAfterMs, brokerHasAfterMs, limit: stepSize })
      removed += step.removed
      if (!step.more || step.removed === 0) break
      // Pause for as long as the step took, so that pruning uses at most half of the backend's time.
      await sleep(Math.max(10, performance.now() - startedAt), undefined, { signal }).catch(() => {})
    }
    if (!signal.aborted) await totals?.tidy(signal)
    return removed
  }
}

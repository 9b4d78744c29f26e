import type { CountRelation } from '../../../../schemas/page.ts'
import type { StoreFailureReason } from '../../../../schemas/why.ts'
import type { QueuePause } from '../../../engine/pausing/queue-pause.ts'
import type { FinishedStatus } from '../../../execution.ts'

/** Why an execution does not run, or that it does. */
export interface Why {
  /** Null if neither store could tell. */
  readonly taskName: string | null
  /** At least one, most important first. */
  readonly facts: readonly WhyFact[]
  /** False if the reason, or the state of the execution, is unknown. */
  readonly isKnown: boolean
}

/** `WhyFact` in `schemas/` says what each means. Times are in milliseconds since the epoch, by the broker's clock. */
export type WhyFact =
  | { readonly kind: 'finished'; readonly status: FinishedStatus; readonly finishedAt: number }
  | { readonly kind: 'running'; readonly since: number | null; readonly workerId: string | null; readonly lockedUntil: number | null }
  | { readonly kind: 'cancelling'; readonly since: number; readonly by: string | null }
  | { readonly kind: 'worker_lost'; readonly workerId: string; readonly lastSeenAt: number | null; readonly lockedUntil: number }
  | { readonly kind: 'stalled'; readonly workerId: string | null }
  | { readonly kind: 'broker_unavailable' | 'backend_unavailable'; readonly reason: StoreFailureReason }
  | { readonly kind: 'waiting_children'; readonly children: number | null }
  | { readonly kind: 'delayed'; readonly until: number; readonly scheduleId: string | null }
  | { readonly kind: 'retrying'; readonly until: number; readonly attempt: number; readonly maxAttempts: number }
  | { readonly kind: 'paused'; readonly pause: QueuePause }
  | { readonly kind: 'no_worker' }
  | { readonly kind: 'workers_unavailable'; readonly stopping: number; readonly silent: number; readonly refused: number }
  | { readonly kind: 'concurrency_limit'; readonly limit: number; readonly running: number }
  | { readonly kind: 'rate_limited'; readonly until: number; readonly max: number; readonly durationMs: number | null }
  | {
    readonly kind: 'behind'
    readonly ahead: { readonly value: number; readonly relation: CountRelation }
    readonly perMinute: number | null
    readonly estimateMs: number | null
  }
  | { readonly kind: 'workers_busy'; readonly workers: number; readonly concurrency: number }
  | { readonly kind: 'unknown'; readonly workers: number | null; readonly free: number | null }

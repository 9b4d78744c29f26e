import type { CountRelation } from '../../../schemas/page.ts'
import type { Execution } from '../../execution.ts'
import type { JobFields } from '../jobs/job-fields.ts'
import type { QueuePause } from '../pausing/queue-pause.ts'

/**
 * The place of an execution in its queue and the limits of the queue, read at one moment. Times are in milliseconds since the epoch, by the
 * broker's clock.
 */
export interface Standing {
  /** Without progress, errors and payloads. */
  readonly execution: Execution
  /** When it was read. */
  readonly at: number
  /** In BullMQ's naming. A `delayed` job stays so until a worker asks for jobs, even when it is due. */
  readonly state: string
  /** When a delayed execution is due; null in other states. */
  readonly dueAt: number | null
  /** How many executions start before it; null unless it could start now. */
  readonly ahead: { readonly value: number; readonly relation: CountRelation } | null
  readonly pause: QueuePause | null
  /** The limit of the whole queue, across all workers; null for none. */
  readonly concurrencyLimit: number | null
  /** The queue's own limit, which takes precedence over that of its workers; null for none. */
  readonly rateLimit: { readonly max: number; readonly durationMs: number | null } | null
  /** How many executions started in the current window of the rate limit, and when the window ends; null if there is no current window. */
  readonly rateSpan: { readonly started: number; readonly endsAt: number } | null
  readonly active: {
    readonly total: number
    /** Executions with a lock, by worker id. */
    readonly byWorker: ReadonlyMap<string, number>
    /** False if there are too many to read; then `byWorker` only has some of them. */
    readonly isAll: boolean
  }
  /** Until when its worker holds the lock, unless the worker extends it. It does so twice in that time. Null if it is not locked. */
  readonly lockedUntil: number | null
  /** How many executions it waits for; null unless it waits for others. */
  readonly children: number | null
}

export interface StandingJob extends Omit<Standing, 'execution'> { readonly job: JobFields }

/** Positions up to this number are exact. */
export const MAX_COUNTED_AHEAD = 10_000
/** How many delayed executions are read that are due but were not moved by a worker yet. */
export const MAX_DUE_LOOKED_AT = 1_000
export const MAX_ACTIVE_LOOKED_AT = 2_000

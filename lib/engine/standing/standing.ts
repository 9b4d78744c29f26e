import type { CountRelation } from '../../../schemas/page.ts'
import type { Execution } from '../../execution.ts'
import type { JobFields } from '../jobs/job-fields.ts'
import type { QueuePause } from '../pausing/queue-pause.ts'

/**
 * Where an execution stands in its queue, and what the queue allows, read at one moment. Times are in milliseconds since the epoch, by the
 * broker's clock.
 */
export interface Standing {
  /** Without progress, errors and payloads. */
  readonly execution: Execution
  /** When it was read. */
  readonly at: number
  /** In BullMQ's naming. A job that is `delayed` stays so until a worker asks, even when it is due. */
  readonly state: string
  /** When a delayed one is due; null in other states. */
  readonly dueAt: number | null
  /** How many start before it; null unless it could start now. */
  readonly ahead: { readonly value: number; readonly relation: CountRelation } | null
  readonly pause: QueuePause | null
  /** Of the whole queue, over all workers; null for none. */
  readonly concurrencyLimit: number | null
  /** The limit that the queue itself has, which takes precedence over that of its workers; null for none. */
  readonly rateLimit: { readonly max: number; readonly durationMs: number | null } | null
  /** How many started in the current span of the rate limit, and when it ends; null outside of one. */
  readonly rateSpan: { readonly started: number; readonly endsAt: number } | null
  readonly active: {
    readonly total: number
    /** With a lock, by worker id. */
    readonly byWorker: ReadonlyMap<string, number>
    /** False if there are too many to look at; then `byWorker` has only some of them. */
    readonly isAll: boolean
  }
  /** Until when its worker has it, unless the worker extends that, as it does twice in that time. Null if no lock holds it. */
  readonly lockedUntil: number | null
  /** How many executions it waits for; null unless it waits for others. */
  readonly children: number | null
}

export interface StandingJob extends Omit<Standing, 'execution'> { readonly job: JobFields }

/** Positions up to this are exact. */
export const MAX_COUNTED_AHEAD = 10_000
/** Delayed executions that are due, but not moved by a worker yet, of which this many are looked at. */
export const MAX_DUE_LOOKED_AT = 1_000
export const MAX_ACTIVE_LOOKED_AT = 2_000

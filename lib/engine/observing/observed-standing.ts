import { limitsFrom } from '../limiting/queue-limits.ts'
import { UNKNOWN_PAUSE } from '../pausing/queue-pause.ts'
import { MAX_ACTIVE_LOOKED_AT, MAX_COUNTED_AHEAD, type Standing } from '../standing/standing.ts'
import { executionFromObserved } from './observed-job.ts'
import type { FoundInQueue, QueueSettings } from './observed-server.ts'

/** What a server reports about a job's place in its queue, besides the job itself. */
export interface PlaceFacts {
  readonly settings: QueueSettings
  /** How many jobs of the queue are running. */
  readonly running: number
  /** How many jobs start before it, and whether there may be more. Only read for a waiting job. */
  readonly ahead: { readonly count: number; readonly isCut: boolean }
  /** The time span of the queue's rate limit, while one lasts. */
  readonly rateSpan: Standing['rateSpan']
  readonly lockedUntil: number | null
  readonly children: number | null
}

/** @param at the server's clock, milliseconds since the epoch */
export function standingFrom({ job, state }: FoundInQueue, at: number, facts: PlaceFacts): Standing {
  const { settings, running, ahead, rateSpan, lockedUntil, children } = facts
  const limits = limitsFrom(settings, null)
  return {
    execution: { ...executionFromObserved(job, state, at), progress: null, error: null },
    at,
    state,
    dueAt: state === 'delayed' ? job.dueAt : null,
    ahead: !waitsInLine(state) ? null : {
      value: Math.min(ahead.count, MAX_COUNTED_AHEAD), relation: ahead.isCut || ahead.count > MAX_COUNTED_AHEAD ? 'at_least' : 'exact'
    },
    pause: settings.isPaused ? UNKNOWN_PAUSE : null,
    concurrencyLimit: limits?.concurrency ?? null,
    rateLimit: limits?.rate ?? null,
    rateSpan,
    // Workers of existing queues have their own names, so jobs are not counted by worker.
    active: { total: running, byWorker: new Map(), isAll: running <= MAX_ACTIVE_LOOKED_AT },
    lockedUntil: state === 'active' && lockedUntil !== null && lockedUntil > at ? lockedUntil : null,
    children: state === 'waiting-children' ? children : null
  }
}

/** Whether only the jobs before it keep a job from starting. */
export function waitsInLine(state: string): boolean {
  return state === 'waiting' || state === 'prioritized'
}

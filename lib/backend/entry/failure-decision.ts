import type { FailureGroupState } from '../../../schemas/failure.ts'
import type { FailureDecision } from '../result-backend.ts'

/** What a store keeps of the last decision about a group. All null if nobody decided anything. */
export interface StoredDecision {
  /** Failures that finished up to this time are resolved; null while it is open. */
  readonly resolvedThrough: number | null
  /** So many failures are resolved, whenever they finished: each of them was retried. Null if a person resolved the group. */
  readonly resolvedCount: number | null
  readonly decidedAt: number | null
  readonly decidedBy: string | null
  readonly note: string | null
}

/** What its state depends on. Times and counts are of all its tasks. */
export interface StandingGroup extends Pick<StoredDecision, 'resolvedThrough' | 'resolvedCount'> {
  readonly lastSeenAt: number
  readonly count: number
}

/**
 * `regressed` needs no write: any version of this package that records a later failure moves `lastSeenAt` past `resolvedThrough`. A group
 * that was resolved by itself regresses with any further failure, even one that finished before and is recorded late.
 */
export function stateOf({ lastSeenAt, count, resolvedThrough, resolvedCount }: StandingGroup): FailureGroupState {
  if (resolvedThrough === null) return 'open'
  return lastSeenAt > resolvedThrough || resolvedCount !== null && count > resolvedCount ? 'regressed' : 'resolved'
}

export function decisionOf({ resolvedThrough, resolvedCount, decidedAt, decidedBy, note }: StoredDecision): FailureDecision | null {
  return decidedAt === null ? null : {
    isResolved: resolvedThrough !== null, isAutomatic: resolvedCount !== null, at: decidedAt, by: decidedBy, note, resolvedThrough
  }
}

import type { FailureGroupState } from '../../../schemas/failure.ts'
import type { FailureDecision } from '../result-backend.ts'

/** What a store keeps of the last decision about a group. All null if nobody decided anything. */
export interface StoredDecision {
  /** Failures that finished up to this time are resolved; null while it is open. */
  readonly resolvedThrough: number | null
  /** So many failures are resolved, whenever they finished: each of them was retried. Null if a person resolved the group. */
  readonly resolvedCount: number | null
  /** Which decision the count belongs to. Null: the last one, before this was kept. */
  readonly countedAt: number | null
  readonly decidedAt: number | null
  readonly decidedBy: string | null
  readonly note: string | null
  /** Null if no bulk operation decided. */
  readonly operationId: string | null
  /** Which decision the operation belongs to. Any other time: an older version decided, and it may have been an operation. */
  readonly operationAt: number | null
}

/** What its state depends on. Times and counts are of all its tasks. */
export interface StandingGroup {
  readonly lastSeenAt: number
  readonly count: number
}

/**
 * `regressed` needs no write: any version of this package that records a later failure moves `lastSeenAt` past `resolvedThrough`. A group
 * that was resolved by itself regresses with any further failure, even one that finished before and is recorded late.
 */
export function stateOf({ lastSeenAt, count }: StandingGroup, decision: StoredDecision): FailureGroupState {
  const { resolvedThrough } = decision
  if (resolvedThrough === null) return 'open'
  const resolvedCount = ownCountOf(decision)
  return lastSeenAt > resolvedThrough || resolvedCount !== null && count > resolvedCount ? 'regressed' : 'resolved'
}

export function decisionOf(decision: StoredDecision): FailureDecision | null {
  const { resolvedThrough, decidedAt, decidedBy, note, operationId, operationAt } = decision
  return decidedAt === null ? null : {
    isResolved: resolvedThrough !== null, isAutomatic: ownCountOf(decision) !== null, at: decidedAt, by: decidedBy, note, resolvedThrough,
    ...operationAt === decidedAt && { operationId }
  }
}

/** Versions that know no count leave that of an earlier decision beside their own. */
function ownCountOf({ resolvedCount, countedAt, decidedAt }: StoredDecision): number | null {
  return countedAt === null || countedAt === decidedAt ? resolvedCount : null
}

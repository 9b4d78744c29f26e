import type { FailureGroupState } from '../../../schemas/failure.ts'
import type { FailureDecision } from '../result-backend.ts'

/** What a store keeps of the last decision about a group. All fields are null if there was no decision. */
export interface StoredDecision {
  /** Failures that finished up to this time are resolved; null while the group is open. */
  readonly resolvedThrough: number | null
  /** This many failures are resolved, whenever they finished, because each of them was retried. Null if a person resolved the group. */
  readonly resolvedCount: number | null
  /** The time of the decision that the count belongs to. Null if an older version stored the count: it belongs to the last decision. */
  readonly countedAt: number | null
  readonly decidedAt: number | null
  readonly decidedBy: string | null
  readonly note: string | null
  /** Null if no bulk operation decided. */
  readonly operationId: string | null
  /**
   * The time of the decision that the operation belongs to. If it differs from `decidedAt`, an older version made the last decision,
   * perhaps for an operation.
   */
  readonly operationAt: number | null
}

/** What the state of a group depends on. Both values cover all its tasks. */
export interface StandingGroup {
  readonly lastSeenAt: number
  readonly count: number
}

/**
 * `regressed` is never written: any version of this package that records a later failure moves `lastSeenAt` past `resolvedThrough`. A group
 * that was resolved automatically also regresses with a failure that finished earlier but is recorded late.
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

/** Versions that do not know `resolvedCount` leave the count of an earlier decision beside their own decision. */
function ownCountOf({ resolvedCount, countedAt, decidedAt }: StoredDecision): number | null {
  return countedAt === null || countedAt === decidedAt ? resolvedCount : null
}

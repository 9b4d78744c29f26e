import type { FailureGroupState } from '../../../schemas/failure.ts'
import type { FailureDecision } from '../result-backend.ts'

/** What a store keeps of the last decision about a group. All null if nobody decided anything. */
export interface StoredDecision {
  /** Failures that finished up to this time are resolved; null while it is open. */
  readonly resolvedThrough: number | null
  readonly decidedAt: number | null
  readonly decidedBy: string | null
  readonly note: string | null
}

/** `regressed` needs no write: any version of this package that records a later failure moves `lastSeenAt` past `resolvedThrough`. */
export function stateOf(lastSeenAt: number, resolvedThrough: number | null): FailureGroupState {
  return resolvedThrough === null ? 'open' : lastSeenAt > resolvedThrough ? 'regressed' : 'resolved'
}

export function decisionOf({ resolvedThrough, decidedAt, decidedBy, note }: StoredDecision): FailureDecision | null {
  return decidedAt === null ? null : { isResolved: resolvedThrough !== null, at: decidedAt, by: decidedBy, note }
}

import type { FailureGroupState } from '../../schemas/failure.ts'
import type { CountRelation } from '../../schemas/page.ts'

export interface FailureGroupQuery {
  /** Failures in [from, to), rounded out to whole hours. Default: all time, with all-time counts. */
  readonly from?: number
  readonly to?: number
  readonly taskName?: string
  /**
   * Only groups that occur in one of these tasks. Counts, tasks and trend then cover only these tasks; for the other fields see `isShared`.
   */
  readonly taskNames?: readonly string[]
  /** Only this group. */
  readonly errorGroup?: string
  /** Default: all. `open` includes regressed groups. */
  readonly state?: FailureGroupState
  readonly limit: number
  readonly after?: FailureGroupPosition
}

export interface FailureGroupPosition { readonly lastSeenAt: number; readonly errorGroup: string }

export interface FailureGroup {
  readonly errorGroup: string
  readonly type: string
  /** From its last occurrence, cut as in lists. */
  readonly message: string
  /** Function and file of the innermost application frame, null when there is none. */
  readonly frame: string | null
  /** Executions that failed with it, within the requested range (and task). */
  readonly count: number
  /** All time. */
  readonly firstSeenAt: number
  readonly lastSeenAt: number
  /** All-time counts, highest first, at most 20. */
  readonly tasks: ReadonlyArray<{ readonly taskName: string; readonly count: number }>
  /** The last execution that failed with it. */
  readonly lastExecutionId: string
  /** Failures per hour over the last 24 hours, oldest first; 24 numbers. */
  readonly trend: readonly number[]
  readonly state: FailureGroupState
  /** The last decision; null if there was none. */
  readonly decision: FailureDecision | null
  /**
   * True if the query has `taskNames` and the group also occurs in other tasks. Message, frame, first and last failure, state and decision
   * then cover all its tasks.
   */
  readonly isShared: boolean
}

/** A decision about a failure group, by a person or automatic (see upkeep/resolve-retried.ts). */
export interface FailureDecision {
  /** False if the group was reopened. */
  readonly isResolved: boolean
  /** True if the group was resolved without a person, because each of its failures was retried. */
  readonly isAutomatic: boolean
  /** By the store's clock. Always later than the previous decision about the group, so it identifies the decision. */
  readonly at: number
  /** Who decided; null if unknown. */
  readonly by: string | null
  readonly note: string | null
  /** Failures that finished after this time make it regress; null if it was reopened. */
  readonly resolvedThrough: number | null
  /** The bulk operation that decided; null if none did. Absent if unknown, because an older version of this package decided. */
  readonly operationId?: string | null
}

export interface NewFailureDecision extends Pick<FailureDecision, 'isResolved' | 'by' | 'note'> {
  /** Resolves only failures before this time, and only if the group has none since. Otherwise nothing changes. Default: now. */
  readonly ifSeenBefore?: number
  /** Only if its last decision was made at this time; null if there must be none. Default: whatever was decided. */
  readonly ifDecidedAt?: number | null
  /** Only if it has exactly this many failures over all time. Default: any number. */
  readonly ifCount?: number
  /**
   * Resolves the group automatically. This covers exactly the failures counted now, whenever they finished, and keeps the note. A person's
   * decision also covers failures that are recorded later. Default: false.
   */
  readonly isAutomatic?: boolean
  /** The bulk operation that decides. Default: none. */
  readonly operationId?: string
}

export interface FailureGroupPage {
  readonly groups: FailureGroup[]
  readonly next: FailureGroupPosition | null
  readonly total: { readonly value: number; readonly relation: CountRelation }
}

import type { BulkAction, BulkOutcome, BulkState, BulkWait } from '../../../schemas/bulk.ts'
import type { CountRelation } from '../../../schemas/page.ts'
import type { Execution } from '../../execution.ts'
import type { WriteOperation } from '../../scheduler/schedules.ts'
import type { ExecutionConditions } from '../monitoring/executions/execution-conditions.ts'

/** Which executions a bulk operation touches, or whose failure groups it touches. All conditions must match. Default: all executions. */
export interface BulkConditions extends ExecutionConditions {
  /** Only these executions, 1 to 200. Not for `resolve`. */
  readonly executionIds?: readonly string[]
}

export interface BulkRequest {
  readonly action: BulkAction
  readonly filter: BulkConditions
  /** Only these tasks are touched: those of `BulkReads.taskNames` that the user may act on. */
  readonly taskNames: readonly string[]
  /** Those of `filter.executionIds` that the user may act on. Default: all of them. */
  readonly executionIds?: readonly string[]
  /** How many of `BulkReads.taskNames` are not among them. */
  readonly tasksLeftOut: number
  /** How many of `BulkReads.executions` are not in `executionIds`. Default: unknown. */
  readonly executionsLeftOut?: number
  /** Whether there are more tasks than the user may see. Default false. */
  readonly isNarrowed?: boolean
}

export interface BulkStart extends BulkRequest {
  /** From a preview. Rejects with BULK_DRIFTED if the filter now matches another number of items. */
  readonly token?: string
  /** At most 500 characters. */
  readonly reason?: string
  /** Items per second, 1 to 100,000. Default: as fast as the stores allow. */
  readonly rate?: number
  /** Who starts it; null or absent if unknown. */
  readonly by?: string | null
}

export interface BulkCount { readonly value: number; readonly relation: CountRelation }

export interface BulkPreview {
  readonly count: BulkCount
  /** The newest, at most 10. */
  readonly sample: readonly Execution[]
  /** How many tasks it can touch. With `executionIds`, only the tasks of matching executions count. 0 if nothing matches. */
  readonly taskCount: number
  readonly token: string
}

/** Times are in milliseconds since the epoch. */
export interface BulkOverview {
  readonly operationId: string
  /** Null if the state is `unsupported`: another version of this package started it. */
  readonly action: BulkAction | null
  readonly state: BulkState
  readonly waitingFor: BulkWait | null
  /** Why it does not continue, as a sentence, if that does not pass by itself. */
  readonly problem: string | null
  /** Null if the state is `unsupported`. In lists, `executionIds` is left out. */
  readonly filter: BulkConditions | null
  /** How many executions its filter lists: those that matched when the operation was accepted. Null if it lists none. */
  readonly executionCount: number | null
  /** False if looking them up took too long, so fewer of them may match. Null if the filter lists none. */
  readonly areExecutionsChecked: boolean | null
  /** Nothing newer is touched. */
  readonly before: number
  readonly taskCount: number
  readonly tasksLeftOut: number
  readonly count: BulkCount
  /** Null if the state is `unsupported`. */
  readonly progress: BulkProgress | null
  readonly rate: number | null
  readonly reason: string | null
  readonly createdAt: number
  readonly createdBy: string | null
  readonly changedAt: number | null
  readonly changedBy: string | null
  readonly finishedAt: number | null
  readonly expiresAt: number
  readonly isUndoable: boolean
  /** Whether it ended at the maximum number of items. */
  readonly isCapped: boolean
}

/** An operation with what it may touch, as it was frozen when it was accepted. */
export interface BulkDetail extends BulkOverview {
  /** Empty if the state is `unsupported`. */
  readonly taskNames: readonly string[]
  /** How many executions that its filter listed were left out because its user may not act on them; null if unknown. */
  readonly executionsLeftOut: number | null
}

/** Items by outcome. */
export type BulkProgress = { readonly [outcome in BulkOutcome]: number }

export interface BulkItem {
  /** Null for a failure group. */
  readonly taskName: string | null
  readonly executionId: string | null
  /** Null unless the action is `resolve`. */
  readonly errorGroup: string | null
  readonly outcome: BulkOutcome
  /** Why it was skipped or failed. */
  readonly code: string | null
  /** The retry, if this operation made one. */
  readonly madeExecutionId: string | null
}

export interface BulkPage<Item> { readonly items: readonly Item[]; readonly nextCursor: string | null; readonly total: number }

export interface BulkListQuery {
  /** 1 to 200, default 50. */
  readonly limit?: number
  readonly cursor?: string
  /** Operations on other tasks are left out, as if they did not exist. Default: all are shown. */
  isShown?(operation: Pick<BulkDetail, 'taskNames'>): boolean
}

export interface BulkItemsQuery {
  readonly outcome?: BulkOutcome
  /** 1 to 200, default 50. */
  readonly limit?: number
  readonly cursor?: string
}

/** Reads of bulk operations. Rejects with BACKEND_UNAVAILABLE and STORE_REFUSED. */
export interface BulkReads {
  /**
   * The tasks that an operation can touch, ordered by name: the task that its filter names, or every task that the broker or the history
   * knows. A failure group can belong to any task. Rejects with INVALID_INPUT, INVALID_SEARCH.
   */
  taskNames(request: Pick<BulkRequest, 'action' | 'filter'>): Promise<readonly string[]>
  /**
   * The executions that the filter lists and that exist. If the server of an existing queue is down, its executions cannot be looked up:
   * each of them is listed with every task that it may have. Rejects with INVALID_INPUT, INVALID_SEARCH.
   */
  executions(request: Pick<BulkRequest, 'action' | 'filter'>): Promise<ReadonlyArray<Pick<Execution, 'executionId' | 'taskName'>>>
  /** What an action would do. Changes nothing. Rejects with INVALID_INPUT, INVALID_SEARCH. */
  preview(request: BulkRequest): Promise<BulkPreview>
  /** Newest first. Rejects with INVALID_CURSOR. */
  list(query?: BulkListQuery): Promise<BulkPage<BulkOverview>>
  find(operationId: string): Promise<BulkDetail | null>
  /** In the order in which they were done. Rejects with BULK_NOT_FOUND, INVALID_CURSOR. */
  items(operationId: string, query?: BulkItemsQuery): Promise<BulkPage<BulkItem>>
}

/** Who changes an operation; null or absent if unknown. */
export interface BulkChange { readonly by?: string | null }

/**
 * Writes of bulk operations. Operations are kept in the result backend for 7 days. One of the queue app's started processes works on them;
 * if it dies, another one continues. Each write rejects with UNCONFIRMED if no store confirmed it and it may have been made: repeat it.
 */
export interface BulkWrites {
  /** Accepts an operation. Rejects with INVALID_INPUT, INVALID_SEARCH, NOTHING_MATCHES, BULK_DRIFTED, BULK_FULL. */
  create(start: BulkStart, operation?: WriteOperation): Promise<BulkDetail>
  /** Stops the operation after the current step, until it is resumed. Idempotent. Rejects with BULK_NOT_FOUND, BULK_STATE. */
  suspend(operationId: string, change?: BulkChange): Promise<BulkDetail>
  /** Idempotent. Rejects with BULK_NOT_FOUND, BULK_STATE. */
  resume(operationId: string, change?: BulkChange): Promise<BulkDetail>
  /** Ends the operation after the current step. Idempotent. Rejects with BULK_NOT_FOUND, BULK_STATE. */
  abort(operationId: string, change?: BulkChange): Promise<BulkDetail>
  /**
   * Undoes what can be undone: retries that have not started are removed, and groups that it resolved are reopened. Idempotent. Rejects
   * with BULK_NOT_FOUND, BULK_STATE.
   */
  undo(operationId: string, change?: BulkChange): Promise<BulkDetail>
}

import type { ExecutionOrder } from '../../schemas/execution.ts'
import type { CountRelation } from '../../schemas/page.ts'
import type { Execution, ExecutionAttempt, FinishedExecution, FinishedStatus } from '../execution.ts'
import type { Fence } from '../stores/documents/fence.ts'
import type { FailureGroup, FailureGroupPage, FailureGroupQuery, NewFailureDecision } from './failure-group.ts'
import type { RetentionPolicy } from './retention-policy.ts'
import type { TextCondition } from './search/text-condition.ts'
import type { FinishedWindow, ReadonlyTally, RollupSpan, WholeOf } from './counting/tally.ts'

export type {
  FailureDecision, FailureGroup, FailureGroupPage, FailureGroupPosition, FailureGroupQuery, NewFailureDecision
} from './failure-group.ts'
export type { RetentionLimits, RetentionPolicy } from './retention-policy.ts'

export interface RecordingSettings {
  /** Up to this size as JSON, the arguments of failed executions are kept whole. Default: the same limit as for all others. */
  readonly failedArgsBytes?: number | undefined
}

/**
 * The history of finished executions. Each is written once, and every page reads them here. The engine has those that have not finished.
 * Calls reject with BACKEND_UNAVAILABLE or STORE_REFUSED within 1.5 s (writes within 10 s). They never hang.
 */
export interface ResultBackend {
  readonly supports: BackendSupport
  /** Prepares the datastore (migrations are safe when several processes start at once). The store is already open. */
  start(): Promise<void>
  stop(): Promise<void>

  /**
   * Writes finished executions with their counters and roll-ups in one atomic step. Idempotent by execution id: ids that are already
   * recorded, or that were removed (see `PruneBounds`), are skipped and not counted.
   * @param options `onlyWhile`: rejects with a SupersededError and writes nothing more once the fence does not hold
   * @returns how many were new
   */
  record(executions: readonly FinishedExecution[], options?: { readonly onlyWhile?: Fence }): Promise<number>
  /** Writes failed attempts that will be retried. Idempotent by execution id and attempt. */
  recordAttempts(attempts: readonly AttemptToRecord[]): Promise<void>
  /**
   * Which of these ids were never recorded. Ids that were removed count as recorded for as long as the broker may still have them. At most
   * 1,000.
   */
  missing(executionIds: readonly string[]): Promise<string[]>

  find(executionId: string): Promise<FinishedExecution | null>
  /**
   * The same for up to 500 executions in one round trip. Returns those that are kept, in no particular order. Failed attempts before the
   * last one may be missing. Each execution can have some hundred kilobytes.
   * @param options `payloads`: if false, arguments, results, logs, stacks and cancellations are neither read nor returned. Default true.
   */
  findMany(executionIds: readonly string[], options?: { readonly payloads?: boolean }): Promise<FinishedExecution[]>
  /** Attempts recorded so far for an execution that has not finished, oldest first. */
  attemptsOf(executionId: string): Promise<ExecutionAttempt[]>
  /** Finished retries of this execution (their `retryOf` is its id), newest first, at most 20. */
  retriesOf(executionId: string): Promise<Execution[]>
  /**
   * Finished executions ordered by finish time, newest or oldest first. `error.stack` is null. Uses indexes where possible. Filters without
   * an index are scanned for at most 300 ms, and the page says how far the scan got.
   */
  list(query: FinishedQuery): Promise<FinishedPage>

  /** All-time counters; retention never lowers them. */
  totals(): Promise<BackendTotals>
  /** All-time counters per task, for every task that ever finished an execution. */
  taskTotals(): Promise<Map<string, TaskTotals>>
  /** All-time counters per schedule, for those of `scheduleIds` that have any. */
  scheduleTotals(scheduleIds: readonly string[]): Promise<Map<string, TaskTotals>>
  forgetSchedule(scheduleId: string): Promise<void>
  /** Moves the counters of a schedule to another id and adds them to those already there. */
  moveSchedule(from: string, to: string): Promise<void>
  /**
   * Schedules that have counters, in pages and in no particular order; the first cursor is null. A schedule that has counters throughout
   * appears at least once. Request at most 500; a page may hold a few more or fewer.
   */
  countedSchedules(cursor: string | null, limit: number): Promise<CountedSchedules>
  /**
   * Percentiles (within 1 %) and counts per task of executions that finished in [fromMs, toMs), rounded out to whole hours.
   * @param wholeOf the task that a task is a part of; null if none. The window of a task includes its parts. Default: no task has parts.
   */
  windowByTask(fromMs: number, toMs: number, wholeOf?: WholeOf): Promise<Map<string, FinishedWindow>>
  /**
   * Executions per task that finished in each hour that overlaps [fromMs, toMs), in time order. Parts count as in `windowByTask`. Tasks
   * without any are left out.
   */
  hoursByTask(fromMs: number, toMs: number, wholeOf?: WholeOf): Promise<Map<string, number[]>>
  /** Non-empty roll-ups that overlap [fromMs, toMs) and are still kept (see tally.ts), in time order. */
  rollups(query: RollupQuery): Promise<Rollup[]>

  /**
   * Failure groups, most recently seen first. When many hours must be read, a page may end before it is full; as long as it has a `next`,
   * there is more. failure-hours.ts has the rules for what is kept and counted.
   */
  failureGroups(query: FailureGroupQuery): Promise<FailureGroupPage>
  /**
   * Resolves or reopens a failure group in one atomic step, and returns it over all time; null if there is no such group. Resolving covers
   * the failures that are recorded, and those that finished before now by the store's clock. A failure that finishes later makes the group
   * `regressed`. Nothing changes if a condition is not met, or if the group already has this state and the note is the same.
   */
  decideFailureGroup(errorGroup: string, decision: NewFailureDecision): Promise<FailureGroup | null>

  /**
   * One bounded step of retention. Removes finished executions that exceed the policy, with their payloads, attempts and list entries, then
   * expired roll-ups and groups. All-time counters never change, nor do roll-ups that are still kept.
   */
  prune(policy: RetentionPolicy, bounds: PruneBounds): Promise<PruneStep>
  /**
   * Removes these executions, with their payloads, attempts and list entries. All-time counters, roll-ups and failure groups stay. Their
   * ids are remembered like those that retention removes, for as long as the broker may have an execution that finishes now. At most
   * `MAX_DELETIONS_PER_CALL`. Ids that are not recorded are skipped.
   * @returns the ids that were removed
   */
  deleteExecutions(executionIds: readonly string[]): Promise<string[]>
  /** How much history is kept: of all tasks, or only of these. */
  kept(taskNames?: readonly string[]): Promise<KeptHistory>

  /** How far the reconciler got, per task: the newest finish time that it compared with the history, in milliseconds since the epoch. */
  watermarks(): Promise<Map<string, number>>
  /** null deletes the watermark of a task. */
  saveWatermarks(changed: ReadonlyMap<string, number | null>): Promise<void>
}

/** How many retries of one execution are listed. */
export const MAX_RETRIES_LISTED = 20

export const MAX_DELETIONS_PER_CALL = 500

export interface AttemptToRecord { readonly executionId: string; readonly taskName: string; readonly attempt: ExecutionAttempt }

export interface BackendSupport {
  /**
   * How free text and arguments are searched. `indexed`: through an index. `scanned`: by scanning, within a time limit, what the other
   * filters match.
   */
  readonly search: 'indexed' | 'scanned'
}

export interface FinishedQuery {
  readonly status?: FinishedStatus
  readonly taskName?: string
  /**
   * Any of these tasks; at least one. The page reveals nothing about other tasks, neither in its counts nor in the position of the next
   * page.
   */
  readonly taskNames?: readonly string[]
  readonly scheduleId?: string
  readonly workerId?: string
  readonly errorGroup?: string
  /** Finish time, milliseconds since the epoch; inclusive, exclusive. */
  readonly from?: number
  readonly to?: number
  /** Duration of the last attempt, milliseconds; inclusive, exclusive. An execution without a duration matches neither. */
  readonly minDurationMs?: number
  readonly maxDurationMs?: number
  /** All of them must match. */
  readonly text?: readonly TextCondition[]
  readonly order: ExecutionOrder
  readonly limit: number
  /** Keyset pagination: strictly after this position in the given order. */
  readonly after?: FinishedPosition
}

/** A position between two executions in finish order. */
export interface FinishedPosition {
  readonly finishedAt: number
  /** Null sorts before all executions of its millisecond. */
  readonly executionId: string | null
}

export interface FinishedPage {
  readonly executions: Execution[]
  /** Where the next page starts, null at the end. When a scan stopped past the last execution, this is where it stopped. */
  readonly next: FinishedPosition | null
  readonly total: { readonly value: number; readonly relation: CountRelation }
  /** Records scanned for this page; null if indexes were enough. */
  readonly scanned: number | null
  /** False when the scan ran out of time before the page was full: there may be more at `next`. */
  readonly complete: boolean
}

export interface BackendTotals {
  readonly success: number
  readonly failed: number
  /** When the backend was created. */
  readonly since: number
}

export interface TaskTotals {
  readonly success: number
  readonly failed: number
  readonly totalDurationMs: number
  /** How many have a duration. Executions whose process died have none. */
  readonly timed: number
  readonly last: LastExecution | null
}

export interface CountedSchedules {
  readonly scheduleIds: readonly string[]
  /** Null on the last page. */
  readonly next: string | null
}

/** The most recently finished execution. */
export interface LastExecution {
  readonly executionId: string
  readonly status: 'success' | 'failed'
  readonly finishedAt: number
  readonly durationMs: number | null
  /** When it started. If unknown, when it was submitted or due. */
  readonly beganAt: number
}

export interface RollupQuery {
  /** Default: the roll-up over all tasks. */
  readonly taskName?: string
  /** Adds up the roll-ups of these tasks instead. */
  readonly taskNames?: readonly string[]
  readonly span: RollupSpan
  readonly fromMs: number
  readonly toMs: number
}

/** `startMs`: start of the minute, hour or day, UTC. */
export interface Rollup { readonly startMs: number; readonly tally: ReadonlyTally }

export interface PruneBounds {
  readonly nowMs: number
  /** Executions that finished after this are kept whatever the policy, because a recorder could be retrying their write. */
  readonly keepAfterMs: number
  /**
   * The broker may still have executions that finished after this. When one is removed, its id is remembered so that it is not recorded
   * again. Older ids are forgotten.
   */
  readonly brokerHasAfterMs: number
  /** Maximum number of executions to remove. */
  readonly limit: number
}

export interface PruneStep { readonly removed: number; /** Whether anything still exceeds the policy. */ readonly more: boolean }

export interface KeptHistory {
  readonly success: { readonly count: number; readonly oldestFinishedAt: number | null }
  readonly failed: { readonly count: number; readonly oldestFinishedAt: number | null }
  /** The latest finish time of any execution that retention removed; null when it removed none. */
  readonly prunedBefore: number | null
}

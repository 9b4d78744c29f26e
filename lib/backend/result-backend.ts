import type { ExecutionOrder } from '../../schemas/execution.ts'
import type { CountRelation } from '../../schemas/page.ts'
import type { Execution, ExecutionAttempt, FinishedExecution } from '../execution.ts'
import type { TextCondition } from './search/text-condition.ts'
import type { FinishedWindow, ReadonlyTally, RollupSpan } from './counting/tally.ts'

/**
 * The ledger of executions that finished: written once each, read by every page. In-flight executions are the engine's.
 * Calls reject with BACKEND_UNAVAILABLE, or STORE_REFUSED, within 1.5 s (writes within 10 s), and never hang.
 */
export interface ResultBackend {
  readonly supports: BackendSupport
  /** Prepares the datastore (migrations, safe when several processes start at once). The store is open already. */
  start(): Promise<void>
  stop(): Promise<void>

  /**
   * Writes finished executions with their counters and roll-ups in one atomic step, once for each execution id: what is there
   * already, or was until retention removed it (see `PruneBounds`), is left alone and counts nothing. @returns how many were new.
   */
  record(executions: readonly FinishedExecution[]): Promise<number>
  /** Writes attempts that failed and will be tried again, once for each execution id and attempt. */
  recordAttempts(attempts: readonly AttemptToRecord[]): Promise<void>
  /**
   * Which of these ids were never recorded: not in the ledger, nor removed from it while the broker could still have them. At most 1,000.
   */
  missing(executionIds: readonly string[]): Promise<string[]>

  find(executionId: string): Promise<FinishedExecution | null>
  /** Attempts recorded so far for an execution that has not finished, oldest first. */
  attemptsOf(executionId: string): Promise<ExecutionAttempt[]>
  /** The executions that repeat this one (their `retryOf`) and have finished, the newest first, at most 20. */
  retriesOf(executionId: string): Promise<Execution[]>
  /**
   * Finished executions by the time they finished, newest or oldest first. `error.stack` is null. Answers from indexes; what
   * has none is looked through for 300 ms at most, and the page says how far it came.
   */
  list(query: FinishedQuery): Promise<FinishedPage>

  /** All-time counters; retention never lowers them. */
  totals(): Promise<BackendTotals>
  /** All-time counters a task, for every task that ever finished an execution. */
  taskTotals(): Promise<Map<string, TaskTotals>>
  /** All-time counters a schedule, for those of `scheduleIds` that have any. */
  scheduleTotals(scheduleIds: readonly string[]): Promise<Map<string, TaskTotals>>
  forgetSchedule(scheduleId: string): Promise<void>
  /** The counters of a schedule go on under another id, on top of what that one has. */
  moveSchedule(from: string, to: string): Promise<void>
  /**
   * Schedules that have counters, page by page in no order, from cursor `''` on: each at least once that has them all the while. At most
   * 500 are asked for, and a page may have some more or fewer.
   */
  countedSchedules(cursor: string | null, limit: number): Promise<CountedSchedules>
  /** Percentiles (within 1 %) and counts of what finished in [fromMs, toMs), of each task, to the hour. */
  windowByTask(fromMs: number, toMs: number): Promise<Map<string, FinishedWindow>>
  /** Roll-ups that have anything, in order of time, of those that [fromMs, toMs) touches and that are still kept (see tally.ts). */
  rollups(query: RollupQuery): Promise<Rollup[]>

  /**
   * Groups of failures by when they were last seen, latest first. Where hours of many have to be looked at, a page may end before it is
   * full: there is more as long as it has a `next`. What is kept of them, and counted: failure-hours.ts.
   */
  failureGroups(query: FailureGroupQuery): Promise<FailureGroupPage>

  /**
   * One bounded step of retention: removes finished executions that are over the policy, with their payloads, attempts and places in
   * every list, then roll-ups and groups past their time. All-time counters and roll-ups stay as they are.
   */
  prune(policy: RetentionPolicy, bounds: PruneBounds): Promise<PruneStep>
  /** What of the history is kept. */
  kept(): Promise<KeptHistory>

  /** How far the reconciler got, by task: the newest finish of all that it compared with the ledger. Milliseconds since the epoch. */
  watermarks(): Promise<Map<string, number>>
  /** null takes the watermark of a task away. */
  saveWatermarks(changed: ReadonlyMap<string, number | null>): Promise<void>
}

/** Retries of one execution that are told. */
export const RETRIES_AT_MOST = 20

export interface AttemptToRecord { readonly executionId: string; readonly taskName: string; readonly attempt: ExecutionAttempt }

export interface BackendSupport {
  /** How free text and arguments are found: by an index, or by looking through what the other filters leave, for a while. */
  readonly search: 'indexed' | 'scanned'
}

export interface FinishedQuery {
  readonly status?: 'success' | 'failed'
  readonly taskName?: string
  readonly scheduleId?: string
  readonly workerId?: string
  readonly errorGroup?: string
  /** Milliseconds since the epoch, by finish; inclusive, exclusive. */
  readonly from?: number
  readonly to?: number
  /** Of the last attempt, milliseconds; inclusive, exclusive. What has no duration matches neither. */
  readonly minDurationMs?: number
  readonly maxDurationMs?: number
  /** All of them hold. */
  readonly text?: readonly TextCondition[]
  readonly order: ExecutionOrder
  readonly limit: number
  /** Keyset: strictly after this position in the given order. */
  readonly after?: FinishedPosition
}

/** Between two executions in order of their finish. */
export interface FinishedPosition {
  readonly finishedAt: number
  /** Null stands before all of its millisecond. */
  readonly executionId: string | null
}

export interface FinishedPage {
  readonly executions: Execution[]
  /** Where to go on, null at the end. Not the position of the last execution where a scan stopped behind it. */
  readonly next: FinishedPosition | null
  readonly total: { readonly value: number; readonly relation: CountRelation }
  /** Records looked through for this page; null when indexes answered. */
  readonly scanned: number | null
  /** False when the scan stopped at its time before the page was full: there may be more at `next`. */
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
  /** How many have a duration: it is not known of those whose process died. */
  readonly timed: number
  readonly last: LastExecution | null
}

export interface CountedSchedules {
  readonly scheduleIds: readonly string[]
  /** Null at the end. */
  readonly next: string | null
}

/** The execution that finished last. */
export interface LastExecution {
  readonly executionId: string
  readonly status: 'success' | 'failed'
  readonly finishedAt: number
  readonly durationMs: number | null
  /** When it started; where that is not known, when it was submitted or due. */
  readonly beganAt: number
}

export interface RollupQuery {
  /** Default: over all tasks. */
  readonly taskName?: string
  readonly span: RollupSpan
  readonly fromMs: number
  readonly toMs: number
}

/** `startMs`: of its minute, hour or day, UTC. */
export interface Rollup { readonly startMs: number; readonly tally: ReadonlyTally }

export interface FailureGroupQuery {
  /** Failures in [from, to), to the hour. Default: all time, for which counts are all-time counts. */
  readonly from?: number
  readonly to?: number
  readonly taskName?: string
  /** This one alone. */
  readonly errorGroup?: string
  readonly limit: number
  readonly after?: FailureGroupPosition
}

export interface FailureGroupPosition { readonly lastSeenAt: number; readonly errorGroup: string }

export interface FailureGroup {
  readonly errorGroup: string
  readonly type: string
  /** Of its last occurrence, cut as in lists. */
  readonly message: string
  /** Function and file of the innermost frame of the application's own, null when there is none. */
  readonly frame: string | null
  /** Executions that failed with it, in the range asked for (and of the task asked for). */
  readonly count: number
  /** All time. */
  readonly firstSeenAt: number
  readonly lastSeenAt: number
  /** All-time counts, the most first, at most 20. */
  readonly tasks: ReadonlyArray<{ readonly taskName: string; readonly count: number }>
  /** The last execution that failed with it. */
  readonly lastExecutionId: string
  /** Count an hour over the last 24 hours up to now, oldest first; 24 numbers. */
  readonly trend: readonly number[]
}

export interface FailureGroupPage {
  readonly groups: FailureGroup[]
  readonly next: FailureGroupPosition | null
  readonly total: { readonly value: number; readonly relation: CountRelation }
}

/** For each status: what is older, and what is beyond the count, is removed, the oldest first. */
export interface RetentionPolicy {
  readonly success: RetentionLimits
  readonly failed: RetentionLimits
}

export interface RetentionLimits { readonly maxAgeMs: number; readonly maxCount: number }

export interface PruneBounds {
  readonly nowMs: number
  /** What finished after it stays, whatever the policy: a recorder could be writing it a second time. */
  readonly keepAfterMs: number
  /**
   * What finished after it, the broker may still have: the id of such an execution is remembered when it is removed, so that nobody records
   * it again. Ids that finished until then are forgotten.
   */
  readonly brokerHasAfterMs: number
  /** Executions removed at most. */
  readonly limit: number
}

export interface PruneStep { readonly removed: number; /** Whether something is left over the policy. */ readonly more: boolean }

export interface KeptHistory {
  readonly success: { readonly count: number; readonly oldestFinishedAt: number | null }
  readonly failed: { readonly count: number; readonly oldestFinishedAt: number | null }
  /** The latest finish of what was ever removed; null when nothing was. */
  readonly prunedBefore: number | null
}

import type { ExecutionOrder } from '../../schemas/execution.ts'
import type { CountRelation } from '../../schemas/page.ts'
import type { Execution, ExecutionAttempt, FinishedExecution } from '../execution.ts'

/**
 * The ledger of executions that finished: written once each, read by every page. In-flight executions are the engine's.
 * Calls reject with BACKEND_UNAVAILABLE within 1.5 s (writes within 10 s), and never hang.
 */
export interface ResultBackend {
  readonly supports: BackendSupport
  /** Prepares the datastore (migrations, safe when several processes start at once). The store is open already. */
  start(): Promise<void>
  stop(): Promise<void>

  /**
   * Writes finished executions with their counters and roll-ups in one atomic step, once for each execution id: what is there
   * already is left alone and counts nothing. @returns how many were new.
   */
  record(executions: readonly FinishedExecution[]): Promise<number>
  /** Writes attempts that failed and will be tried again, once for each execution id and attempt. */
  recordAttempts(attempts: readonly AttemptToRecord[]): Promise<void>
  /** Which of these ids are not in the ledger. At most 1,000. */
  missing(executionIds: readonly string[]): Promise<string[]>

  find(executionId: string): Promise<FinishedExecution | null>
  /** Attempts recorded so far for an execution that has not finished, oldest first. */
  attemptsOf(executionId: string): Promise<ExecutionAttempt[]>
  /** Finished executions by the time they finished, newest or oldest first. `error.stack` is null. */
  list(query: FinishedQuery): Promise<FinishedPage>

  /** All-time counters; retention never lowers them. */
  totals(): Promise<BackendTotals>
  /** All-time counters a task, for every task that ever finished an execution. */
  taskTotals(): Promise<Map<string, TaskTotals>>
  /** All-time counters a schedule, for those of `scheduleIds` that have any. */
  scheduleTotals(scheduleIds: readonly string[]): Promise<Map<string, TaskTotals>>
  forgetSchedule(scheduleId: string): Promise<void>
  /**
   * Percentiles (within 1 %) and counts of what finished in [fromMs, toMs), overall, to the minute; to the hour when it starts
   * more than 47 hours ago.
   */
  window(fromMs: number, toMs: number): Promise<FinishedWindow>
  /** The same a task, to the hour. */
  windowByTask(fromMs: number, toMs: number): Promise<Map<string, FinishedWindow>>

  /** How far the reconciler got in the queue of a task: all that finished before it is recorded. Milliseconds, null when never. */
  watermark(taskName: string): Promise<number | null>
  saveWatermark(taskName: string, finishedBeforeMs: number): Promise<void>
}

export interface AttemptToRecord { readonly executionId: string; readonly taskName: string; readonly attempt: ExecutionAttempt }

export interface BackendSupport {
  /** Whether lists can be filtered by free text. */
  readonly search: boolean
}

export interface FinishedQuery {
  readonly status?: 'success' | 'failed'
  readonly taskName?: string
  readonly scheduleId?: string
  /** Milliseconds since the epoch, by finish; inclusive, exclusive. */
  readonly from?: number
  readonly to?: number
  readonly order: ExecutionOrder
  readonly limit: number
  /** Keyset: strictly after this position in the given order. */
  readonly after?: FinishedPosition
}

export interface FinishedPosition { readonly finishedAt: number; readonly executionId: string }

export interface FinishedPage {
  readonly executions: Execution[]
  readonly hasMore: boolean
  readonly total: { readonly value: number; readonly relation: CountRelation }
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
  /** The execution that finished last; `durationMs` is 0 when it is not known. */
  readonly last: { readonly executionId: string; readonly status: 'success' | 'failed'; readonly finishedAt: number; readonly durationMs: number } | null
}

export interface FinishedWindow {
  readonly success: number
  readonly failed: number
  readonly duration: DurationPercentiles | null
  readonly wait: DurationPercentiles | null
}

export interface DurationPercentiles { readonly p50: number; readonly p95: number; readonly p99: number }

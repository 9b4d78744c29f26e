import type { AuditLog } from '../audit/audit-log.ts'
import type { ScheduleChanges, ScheduleInput, ScheduleUpdateOptions, WriteOperation } from '../../scheduler/schedules.ts'
import type { Execution, ExecutionDetail } from '../../execution.ts'
import type { BulkWrites } from '../bulk/bulk.ts'
import type { Backoff } from '../../time/backoff.ts'
import type { RequestAnswers } from '../enqueueing/request-answers.ts'
import type { RateLimit } from '../tasks/rate-limit.ts'
import type { FailureGroupOverview, QueueOverview, ScheduleOverview } from '../monitoring/monitoring.ts'

export interface TaskRun {
  /** Positional, at most 100 and 64 KiB as JSON. Default: none. */
  readonly args?: readonly unknown[]
  /** 0 (default: no priority, runs first), then 1 (most urgent) to 2,097,151. */
  readonly priority?: number
  /** Milliseconds before it may run, 0 (default) to 31,536,000,000. */
  readonly delayMs?: number
}

export interface ExecutionRetry {
  /** Replace the execution's own arguments. At most 100 and 64 KiB as JSON. */
  readonly args?: readonly unknown[]
}

export interface ExecutionCancel {
  /** At most 500 characters, kept with the execution. */
  readonly reason?: string
  /** Who cancels it; null or absent if unknown. */
  readonly by?: string | null
}

export interface FailureDecisionOptions {
  /** At most 1,000 characters, kept with the group until the next decision. */
  readonly note?: string
  /** Who decides it; null or absent if unknown. */
  readonly by?: string | null
}

export interface FailureResolveOptions extends FailureDecisionOptions {
  /**
   * Milliseconds since the epoch. If the group has failed after this time, it is not resolved. Default: it is resolved, whenever it last
   * failed.
   */
  readonly ifLastSeenAt?: number
}

export interface QueuePauseInput {
  /** At most 500 characters, shown with the queue. */
  readonly reason?: string
  /** When the queue resumes by itself: milliseconds since the epoch, in the future and at most 30 days ahead. Default: never. */
  readonly until?: number | null
  /** Who pauses it; null or absent if unknown. */
  readonly by?: string | null
}

export interface QueueLimitsInput {
  /**
   * How many executions may run at once over the workers of all processes, 1 to 100,000. Null lifts the limit; absent leaves it unchanged.
   */
  readonly concurrency?: number | null
  /** How many may start per window over all workers. Null lifts the limit; absent leaves it unchanged. */
  readonly rate?: RateLimit | null
  /** At most 500 characters, shown with the queue. */
  readonly reason?: string
  /** Who limits it; null or absent if unknown. */
  readonly by?: string | null
}

export interface ExecutionChanges {
  /** 0 to 2,097,151. */
  readonly priority?: number
  /** Milliseconds since the epoch, at most a year from now; in the past means now. */
  readonly dueAt?: number
}

export interface ExecutionIdentity { readonly executionId: string; readonly taskName: string }

export interface MadeRetry extends ExecutionIdentity {
  /** The arguments that were sent, as the dashboard shows them: redacted. Null if it runs with those of the original. */
  readonly args: readonly unknown[] | null
}

/** How a task's failed attempts are repeated. */
export interface RetryPolicy {
  /** Attempts after the first. */
  readonly retries: number
  readonly backoff: Backoff
}

/**
 * The writes of a dashboard, from any process of a queue app. If a datastore does not respond, every call rejects with BROKER_UNAVAILABLE,
 * BACKEND_UNAVAILABLE, STORE_REFUSED or NOT_STARTED: nothing was changed, and nothing will be. UNCONFIRMED means that the change may have
 * been made.
 */
export interface Operations {
  /** Rejects with INVALID_CRON, INVALID_SCHEDULE, TASK_NOT_REGISTERED. */
  createSchedule(input: ScheduleInput, operation?: WriteOperation): Promise<ScheduleOverview>
  /** Idempotent. Rejects with SCHEDULE_NOT_FOUND. `by`: the user who made the change, null if unknown. */
  setScheduleEnabled(scheduleId: string, enabled: boolean, by?: string | null): Promise<ScheduleOverview>
  /** Rejects with SCHEDULE_NOT_FOUND, INVALID_CRON, INVALID_SCHEDULE, and with CONFLICT if its version is not `ifVersion`. */
  updateSchedule(scheduleId: string, changes: ScheduleChanges, options?: ScheduleUpdateOptions): Promise<ScheduleOverview>
  /** Runs it now and returns the execution id. Its next planned run does not move. Rejects with SCHEDULE_NOT_FOUND, CONFLICT. */
  runSchedule(scheduleId: string, operation?: WriteOperation): Promise<string>
  /** Deletes a schedule; the history of its runs stays. Rejects with SCHEDULE_NOT_FOUND. */
  deleteSchedule(scheduleId: string): Promise<void>

  /**
   * Adds an execution of a registered or declared task, with the task's own retries and backoff, and returns its id. Rejects with
   * INVALID_INPUT, TASK_NOT_FOUND.
   */
  runTask(taskName: string, run?: TaskRun, operation?: WriteOperation): Promise<string>
  /**
   * Runs a failed execution again, with its own arguments or others. The retry has an id of its own and `retryOf` the original's. An
   * execution can be retried once: the second caller gets ALREADY_RETRIED with the retry's id, even if both call at the same moment. If the
   * retry fails too, retry that one. The guarantee lasts for as long as the history keeps the retry. Rejects with INVALID_INPUT,
   * EXECUTION_NOT_FOUND, EXECUTION_PRUNED, EXECUTION_DELETED, NOT_RETRYABLE, ALREADY_RETRIED, ARGUMENTS_NOT_KEPT, CONFLICT.
   */
  retryExecution(executionId: string, retry?: ExecutionRetry, operation?: WriteOperation): Promise<MadeRetry>
  /**
   * Cancels an execution and returns its state afterwards. A pending one never runs. The signal of a running one is aborted within 2 s, in
   * whatever process it runs; when its handler ends it is `cancelled`, or `success` if it succeeded regardless. Idempotent: the first
   * request stays. Rejects with INVALID_INPUT, EXECUTION_NOT_FOUND, EXECUTION_PRUNED, EXECUTION_DELETED, NOT_CANCELLABLE.
   */
  cancelExecution(executionId: string, cancel?: ExecutionCancel): Promise<Execution>

  /**
   * Deletes a finished execution from the history, and from the broker if it is still there. Counters, charts and failure groups stay. For
   * at least two hours its id is remembered, so that no process records it again. Rejects with EXECUTION_NOT_FOUND, EXECUTION_PRUNED,
   * EXECUTION_DELETED, NOT_DELETABLE.
   */
  deleteExecution(executionId: string): Promise<ExecutionIdentity>

  /**
   * Pauses a queue, by its name or its task's: the workers of all processes take no more executions from it. Running executions continue;
   * pending and new ones wait. Survives restarts. Idempotent: the same reason and end change nothing; others replace the standing pause.
   * Rejects with INVALID_INPUT, QUEUE_NOT_FOUND.
   */
  pauseQueue(name: string, pause?: QueuePauseInput): Promise<QueueOverview>
  /** Resumes a queue, whoever paused it. Idempotent. Rejects with QUEUE_NOT_FOUND. */
  resumeQueue(name: string): Promise<QueueOverview>

  /**
   * Limits a queue while it runs, by its name or its task's, over the workers of all processes. Workers apply the limits from the next
   * start on. The concurrency in the code still limits each process. A live rate replaces the `max` of the rate limit in the code, and must
   * have the same window. Survives restarts. Idempotent: the same limits change nothing, unless they come with another reason. After a
   * change of the rate, `rateLimitedUntil` in the response is null. Rejects with INVALID_INPUT, QUEUE_NOT_FOUND.
   */
  limitQueue(name: string, limits?: QueueLimitsInput): Promise<QueueOverview>

  /** Who changed what. The dashboard records every write here before it makes it. */
  readonly audit: AuditLog

  /**
   * Changes the priority or due time of a pending execution, and returns it. While it waits for a retry, its due time is that of the next
   * attempt. Idempotent. Rejects with INVALID_INPUT, EXECUTION_NOT_FOUND, EXECUTION_PRUNED, EXECUTION_DELETED,
   * NOT_CHANGEABLE.
   */
  updateExecution(executionId: string, changes: ExecutionChanges): Promise<ExecutionDetail>

  /**
   * Marks a failure group as resolved, and returns it. The next failure of the group makes it `regressed`. Idempotent: a resolved group
   * stays as it is, unless there is another note. Rejects with INVALID_INPUT, FAILURE_GROUP_NOT_FOUND, FAILED_AGAIN.
   */
  resolveFailureGroup(errorGroup: string, options?: FailureResolveOptions): Promise<FailureGroupOverview>
  /**
   * Opens a resolved or regressed group again, or gives an open one a note. Rejects with INVALID_INPUT, FAILURE_GROUP_NOT_FOUND.
   */
  reopenFailureGroup(errorGroup: string, options?: FailureDecisionOptions): Promise<FailureGroupOverview>

  /** The same operations on everything that matches a filter. */
  readonly bulk: BulkWrites

  /** Stored responses to requests with an idempotency key. */
  readonly answers: RequestAnswers
}

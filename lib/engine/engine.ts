import type { Backoff } from '../time/backoff.ts'
import { HOUR_MS } from '../time/units.ts'
import type { SchedulerDefinition, SchedulerState } from './scheduler-definition.ts'
import type {
  Execution, ExecutionAttempt, ExecutionCancellation, ExecutionDetail, FinishedExecution, FinishedReference
} from '../execution.ts'
import type { ChangeOutcome, PendingChange } from './changing/change-outcome.ts'
import type { LimitsRequest, QueueLimits } from './limiting/queue-limits.ts'
import type { PauseRequest, QueuePause } from './pausing/queue-pause.ts'
import type { CancelOutcome } from './cancelling/cancel-outcome.ts'
import type { InFlightPage, InFlightQuery } from './in-flight/in-flight-query.ts'
import type { JobFactsReads } from './observing/relations/job-facts.ts'
import type { QueueCondition } from './queues/queue-condition.ts'
import type { Standing } from './standing/standing.ts'

/**
 * The broker's side of a queue app: where executions wait and run, with one queue per task. BullMQ is an implementation detail of this
 * folder. Do not mutate a list of task names after passing it in.
 * Calls that serve a request reject with BROKER_UNAVAILABLE or STORE_REFUSED within 1.5 s. They never hang.
 */
export interface Engine extends JobFactsReads {
  /** Prepares the datastore (migrations). The store is already open. */
  start(): Promise<void>
  /** Stops every worker (see EngineWorker.stop) and closes what the engine opened. The store stays open. Idempotent. */
  stop(options?: { graceMs?: number }): Promise<void>

  /** A task's queue name: reversible, without characters that datastores reserve. */
  queueOf(taskName: string): string

  /**
   * Adds executions in order, one round trip per task. Rejects with UNCONFIRMED if the broker did not confirm some of them, and with
   * BROKER_UNAVAILABLE if it refused. The error's `enqueuedIds` and `unconfirmedIds` say which were added and which may have been.
   * @returns the duplicates: for each request that was not added, the id of the existing execution with its deduplication key
   */
  enqueue(requests: readonly EnqueueRequest[]): Promise<Duplicates>
  /** How many to enqueue at a time so that other clients of the broker wait no longer than a millisecond or so. */
  readonly gentleBatch: number
  /**
   * Starts running a task in this process. Arguments, results, progress and logs are the same on every datastore: JSON travels as text, so
   * NUL and unpaired surrogates in values survive. In logs and messages they become U+FFFD.
   */
  work(options: WorkOptions): EngineWorker

  /** Live counts by task. None for a part of a queue (BullMQ counts whole queues), or if its server is down while others respond. */
  counts(taskNames: readonly string[]): Promise<Map<string, InFlightCounts>>
  /** Whether `counts` returns the counts of exactly these tasks. Absent: always. */
  countsExactly?(taskNames: readonly string[]): boolean
  /**
   * Pending or running executions, live. Planned runs of schedules that are not due yet are not included.
   *
   * Pages merge the heads of many queues, read at one moment. An execution that changes its state appears on the page only once.
   * One that stays in its state is on some page. But if pending executions that were shown leave their queue between two pages, the next
   * page may skip as many that follow them, and an execution that moved may be repeated. Pages are in time order, except that delayed
   * executions are in the order in which they become due, and prioritized ones by urgency. A page reads 1,000 executions. It only reads
   * more as long as all of these were on earlier pages, so with a narrow filter a page may be short or empty while `next` is not null.
   * Payloads are only read where `needsArgs` says so.
   *
   * The cursor tracks running executions by the time reached. Their workers' clocks may differ by a second, or by as much as their order
   * shows. A cursor has room for the pending executions of about 400 queues. Beyond that, waiting executions are tracked by time too, then
   * others, so delayed and prioritized ones can be missing from later pages. Rejects with INVALID_CURSOR.
   */
  inFlight(query: InFlightQuery): Promise<InFlightPage>
  /** An execution that the broker still has, whether in flight or finished; null if there is none. Searches the queues of `taskNames`. */
  find(taskNames: readonly string[], executionId: string): Promise<ExecutionDetail | null>
  /**
   * Like `find`, for up to 200 executions at once. Returns those that the broker has, in no order. An id can be in several queues. Without
   * payloads, progress and errors.
   */
  findMany(taskNames: readonly string[], executionIds: readonly string[]): Promise<Execution[]>
  /**
   * The place of an execution in its queue, and the limits of that queue; null if the broker does not have the execution. Reads no payload,
   * and counts at most 10,000 executions ahead of it. Searches the queues of `taskNames`.
   */
  standing(taskNames: readonly string[], executionId: string): Promise<Standing | null>
  /**
   * Cancels an execution. A pending one finishes at once, like any other: the broker keeps it for `FINISHED_KEPT_MS`. For a running one,
   * the request is stored with it: its worker aborts its signal within 2 s, and it is not retried. The next run of a schedule is planned
   * before its due run is cancelled. A repeated request changes nothing: the first one stays. Rejects with BROKER_UNAVAILABLE.
   */
  cancel(taskName: string, executionId: string, cancellation: ExecutionCancellation): Promise<CancelOutcome>
  /** Changes the priority or due time of an execution in one step, if it is pending. Rejects with BROKER_UNAVAILABLE. */
  change(taskName: string, executionId: string, change: PendingChange): Promise<ChangeOutcome>
  /** The live state of each queue, one entry per name. Three round trips per 500 tasks, all at once; on SQL three in total, or four. */
  queues(taskNames: readonly string[]): Promise<Map<string, QueueState>>
  /**
   * Pauses the queue of a task: workers take no more executions, and running ones continue. The same reason and end change nothing; others
   * replace the pause. At `until`, by the broker's clock, any process resumes it, at most 5 s late. Rejects with BROKER_UNAVAILABLE.
   */
  pauseQueue(taskName: string, request: PauseRequest): Promise<QueuePause>
  /** Resumes the queue of a task, whoever paused it. Does nothing if it is not paused. Rejects with BROKER_UNAVAILABLE. */
  resumeQueue(taskName: string): Promise<void>
  /**
   * Limits a task across the workers of all processes, in addition to the limits in its code: concurrent executions, and starts per window.
   * A rate replaces the `max` of the code's limit; the code's window still applies. The limits survive restarts. Idle workers obey at once,
   * and lifting a limit wakes them. Rejects with BROKER_UNAVAILABLE.
   * @returns the limits that now apply; null for none
   */
  limitQueue(taskName: string, request: LimitsRequest): Promise<QueueLimits | null>
  /**
   * The `requestId` with which an execution was added; null if it was added without one, or the broker no longer has it. Adding an id that
   * exists changes nothing, so the first request wins.
   */
  requestIdOf(taskName: string, executionId: string): Promise<string | null>
  /** Like `requestIdOf`, for up to 500 executions in one round trip: those that the broker has. Null: added without a request id. */
  requestIdsOf(taskName: string, executionIds: readonly string[]): Promise<ReadonlyMap<string, string | null>>
  /**
   * Removes executions that were added with this `requestId` and have not started, as if they had never been added. At most 500. Fast for
   * the newest ones, so name these first.
   * @returns the executions that were removed
   */
  takeBack(taskName: string, executionIds: readonly string[], requestId: string): Promise<ReadonlySet<string>>
  /** Live totals over `taskNames`; cheaper than `counts`. */
  summary(taskNames: readonly string[]): Promise<InFlightTotals>
  /**
   * Refreshes the index of queues that hold something. With it, reads of many tasks only cost as much as those queues. Call it once a
   * minute: queues that other code has filled are not indexed until then, and without an index reads check every queue. Datastores with
   * indexes of their own do not need this; there it removes expired deduplication keys.
   */
  indexQueues(taskNames: readonly string[]): Promise<void>

  /**
   * Until when (milliseconds since the epoch) the rate limits of these tasks block new starts. The live limit applies, or else the code's,
   * which is `max` (null for none). Tasks that have not reached their limit are omitted.
   */
  rateLimitedUntil(limits: ReadonlyArray<{ readonly taskName: string; readonly max: number | null }>): Promise<ReadonlyMap<string, number>>

  /**
   * For the reconciler: finished executions that are still in the broker, in small batches, oldest first within each status. Everything
   * that finished at or after `sinceMs`, and older ones found along the way. `missing` gets many ids at a time and returns those to read.
   */
  finishedSince(
    taskName: string, sinceMs: number, missing: (executionIds: string[]) => Promise<string[]>
  ): AsyncIterable<FinishedExecution[]>
  /**
   * Executions that finished at or after a time, for up to 1,000 tasks in one round trip, in the order of the queries. Only the newest if
   * there are too many.
   */
  newestFinished(queries: ReadonlyArray<{ readonly taskName: string; readonly sinceMs: number }>): Promise<NewestFinished[]>
  /**
   * At most `limit` executions that finished at or before a time and are still in the broker, oldest first per task and status. For up to
   * 1,000 tasks in one round trip.
   */
  finishedBefore(taskNames: readonly string[], beforeMs: number, limit: number): Promise<FinishedReference[]>
  /** Reads these with their payloads, in small batches. Skips those that are gone. */
  readFinished(references: readonly FinishedReference[]): AsyncIterable<FinishedExecution[]>
  /**
   * Removes executions from the broker that are still finished and finished at or before a time. At most 1,000, in one round trip.
   * @returns how many were removed
   */
  removeFinished(references: readonly FinishedReference[], beforeMs: number): Promise<number>

  /**
   * Creates or replaces a schedule's BullMQ scheduler. Does nothing if it is current, so its next run stays.
   * @param options `isNew`: the scheduler is known to be missing or outdated, which saves two round trips. Default false.
   */
  upsertScheduler(definition: SchedulerDefinition, options?: { readonly isNew?: boolean }): Promise<void>
  /**
   * Removes a schedule's BullMQ scheduler with its planned run, and a due run that has not started.
   * @returns whether there was one
   */
  removeScheduler(taskName: string, scheduleId: string): Promise<boolean>
  /**
   * Plans the next run again by this process's clock, after a process with a wrong clock planned it too far ahead.
   * @returns false if the job for the next run already exists; the plan is then unchanged
   */
  planSchedulerAnew(definition: SchedulerDefinition): Promise<boolean>
  /** The BullMQ schedulers in the queues of these tasks, with their next run: one round trip per 500 tasks. */
  listSchedulers(taskNames: readonly string[]): Promise<SchedulerState[]>

  /**
   * Ids of the definitions whose BullMQ scheduler matches what `upsertScheduler` would create, including its planned run: one round trip
   * per 500.
   */
  standingAsDefined(definitions: readonly SchedulerDefinition[]): Promise<ReadonlySet<string>>
  /**
   * Called when the connection to the broker is back after an outage.
   * @returns removes the listener
   */
  onReconnect(listener: () => void): () => void
}

export interface EnqueueRequest {
  readonly executionId: string
  readonly taskName: string
  readonly args: readonly unknown[]
  /** 1 or more. */
  readonly maxAttempts: number
  readonly backoff: Backoff
  readonly delayMs: number
  readonly priority: number
  readonly scheduleId: string | null
  readonly retryOf: string | null
  /** Identifies who added it, if several requests may add an execution with the same id: see `requestIdOf`. */
  readonly requestId?: string
  /** Not added while the task has an execution with this key: until that one has finished, or for `ttlMs` after it was added. */
  readonly deduplication?: { readonly key: string; readonly ttlMs: number | null }
}

/** Ids of existing executions, by the ids of the requests they stand in for. */
export type Duplicates = ReadonlyMap<string, string>

/** What a handler gets to run. */
export interface EngineRun {
  readonly executionId: string
  readonly taskName: string
  readonly args: readonly unknown[]
  /** 1 for the first attempt. */
  readonly attempt: number
  /** Whether a process took it before and failed, died or handed it back. */
  readonly wasTaken: boolean
  readonly maxAttempts: number
  readonly scheduleId: string | null
  /** True if its schedule planned it; false if a run of the schedule was requested manually. */
  readonly isPlanned: boolean
  /** For a schedule's run, the time it was due, milliseconds since the epoch. */
  readonly dueAt: number
  readonly signal: AbortSignal
  log(line: string): Promise<void>
  progress(value: unknown): Promise<void>
}

/** `run` resolves with this for a run that must leave no record (a schedule's run skipped by its overlap rule). */
export const LEFT_OUT: unique symbol = Symbol('left out')

export interface NewestFinished { readonly executions: readonly FinishedReference[]; readonly isAll: boolean }

/** How long finished executions stay in the broker: the reconciler records what a dead process or an unavailable backend did not. */
export const FINISHED_KEPT_MS = HOUR_MS

export interface WorkOptions {
  readonly taskName: string
  /** Concurrent executions in this process, 1 or more. */
  readonly concurrency: number
  readonly workerId: string
  /**
   * How often an execution whose process died runs again, 1 or more. After one more death it fails with EXECUTION_LOST. These runs do not
   * use up attempts.
   */
  readonly maxLosses: number
  /** Across all workers of the task; null for none. Each worker applies its own limit and counts the starts of all of them. */
  readonly rateLimit?: { readonly max: number; readonly durationMs: number } | null
  /**
   * Milliseconds, or null for none. On timeout the signal aborts and the attempt fails with EXECUTION_TIMEOUT; a `cpu` child process is
   * killed.
   */
  readonly timeoutMs: number | null
  /**
   * `io`: called for each run, on the event loop. `cpu`: the default export of `module` runs in a process of its own, inside
   * `runWithExecution(run, callback)` of the `contextModule`. `before` runs in this process first; resolving to false means the same as
   * LEFT_OUT.
   */
  readonly processor:
    | { readonly type: 'io'; run(run: EngineRun): Promise<unknown> }
    | {
      readonly type: 'cpu'
      readonly module: URL
      readonly contextModule: URL
      before?(run: EngineRun): Promise<boolean>
      after?(run: EngineRun): Promise<void>
    }
  /** An execution finished for good in this process. */
  onFinished(execution: FinishedExecution): void
  /** An attempt failed and will be retried. */
  onAttemptFailed(execution: Execution, attempt: ExecutionAttempt, args: readonly unknown[] | null): void
  /** Connection errors and the like; rate-limited by the engine. */
  onError(error: Error): void
}

export interface EngineWorker {
  /** How many executions run in this process now, and which, in no order. */
  readonly running: number
  runs(): WorkerRun[]
  /** Milliseconds since the broker last responded, on the connections that take executions. A healthy worker polls at least every 15 s. */
  readonly silentForMs: number
  /** Why the broker refuses this worker's calls, such as a missing right: part of a sentence. Null while it accepts them. */
  readonly refusal: string | null
  /**
   * Takes no more executions, waits up to `graceMs` (default STOP_GRACE_MS) for running ones, then aborts their signals and hands them back
   * to the queue without using up an attempt. Idempotent.
   */
  stop(options?: { graceMs?: number }): Promise<void>
}

/** `startedAt`: by this process's clock; null if unknown. */
export interface WorkerRun { readonly executionId: string; readonly startedAt: number | null }
export interface InFlightCounts {
  /** Waiting, delayed and prioritized, without planned runs of schedules. */
  readonly pending: number
  readonly running: number
}

export interface InFlightSummary extends InFlightCounts {
  /** Age in milliseconds of the oldest execution that is due but has not started; null when there is none. */
  readonly oldestPendingMs: number | null
}

/** `pending` and `running` are null if unknown. Executions in observed queues are not counted by job name. */
export type InFlightTotals = { readonly [Field in keyof InFlightSummary]: number | null }

export type QueueState = InFlightSummary & QueueCondition

import type { ExecutionStatus, ExecutionOrder } from '../../schemas/execution.ts'
import type { Backoff } from '../time/backoff.ts'
import { HOUR_MS } from '../time/units.ts'
import type { Execution, ExecutionAttempt, ExecutionDetail, FinishedExecution, FinishedReference } from '../execution.ts'

/**
 * The broker's side of a queue app: where executions wait and run. One queue a task. BullMQ is behind it; nothing above
 * this folder knows. Lists of task names must not change once they were given.
 * Calls on behalf of a request reject with BROKER_UNAVAILABLE, or STORE_REFUSED, within 1.5 s, and never hang.
 */
export interface Engine {
  /** Prepares the datastore (migrations). The store is open already. */
  start(): Promise<void>
  /** Stops every worker (see EngineWorker.stop) and closes what the engine opened. The store stays open. Idempotent. */
  stop(options?: { graceMs?: number }): Promise<void>

  /** Name of the queue of a task: reversible, without the characters that the datastore reserves. */
  queueOf(taskName: string): string

  /**
   * Adds executions, in order, one round trip a task. Rejects with UNCONFIRMED when the broker did not say whether it added some, and with
   * BROKER_UNAVAILABLE when it refused; `enqueuedIds` and `unconfirmedIds` of the error say which were, or may have been, added.
   * @returns for each that was not added, because an execution with its deduplication key stands, the id of that execution by its own
   */
  enqueue(requests: readonly EnqueueRequest[]): Promise<Duplicates>
  /**
   * Starts running a task in this process. Arguments, results, progress and logs are the same on every datastore: JSON
   * travels as text, so NUL and unpaired surrogates in values survive; in logs and messages they become U+FFFD.
   */
  work(options: WorkOptions): EngineWorker

  /** Live numbers a task, one entry for each name. */
  counts(taskNames: readonly string[]): Promise<Map<string, InFlightCounts>>
  /**
   * Pending or running executions, live. Planned runs of schedules (not due yet) are not among them.
   *
   * Pages are merged from the heads of many queues, which are read at one moment: an execution that moves meanwhile is on the page once.
   * Guaranteed: an execution that stays in its state is on some page; `newest` skips none because others leave (it may repeat one
   * on a later page that moved). Pages are in order of time, but for delayed executions, which come as they become due, and prioritised
   * ones, which come by urgency. `oldest` can skip pending executions when older ones leave between two pages. At most 1,000 are looked at
   * for one page: under a narrow filter a page may be short, or empty, while `next` is not null. Payloads are read only where `needsArgs`
   * says so. What runs is followed by the time that was reached, and so are other states past 500 of them from which pages took something:
   * what came there out of order (by the clock of a worker that is wrong, or delayed and prioritised ones) can be left out of later
   * pages. Rejects with INVALID_CURSOR.
   */
  inFlight(query: InFlightQuery): Promise<InFlightPage>
  /** An execution that the broker still has, in flight or finished, or null. Looks in the queues of `taskNames`. */
  find(taskNames: readonly string[], executionId: string): Promise<ExecutionDetail | null>
  /** Live numbers over all of `taskNames`; costs less than `counts`. */
  summary(taskNames: readonly string[]): Promise<InFlightSummary>
  /**
   * Finds out anew which queues of these tasks hold something, for reads of many tasks, which then cost by what is held. Keep coming back,
   * once a minute: what other code put into a queue may be on no list before, and without it reads look at every queue. A datastore that
   * has an index of its own is not asked for that; there, deduplication keys whose lifetime is over are removed.
   */
  indexQueues(taskNames: readonly string[]): Promise<void>

  /**
   * Until when (milliseconds since the epoch) the rate limits of these tasks let nothing start; without those whose limit is not reached.
   */
  rateLimitedUntil(limits: ReadonlyArray<{ readonly taskName: string; readonly max: number }>): Promise<ReadonlyMap<string, number>>

  /**
   * For the reconciler: finished executions that the broker still has, in small batches, for which `missing` (asked with the ids of
   * many) says that they are wanted: all that ended at or after `sinceMs`, and of those before it what comes to light on the way.
   * Of each status the oldest first. Payloads are read only for those.
   */
  finishedSince(
    taskName: string, sinceMs: number, missing: (executionIds: string[]) => Promise<string[]>
  ): AsyncIterable<FinishedExecution[]>
  /**
   * What finished at or after a time, of many tasks in one round trip, in their order: all of it, or the newest where there is more.
   * At most 1,000 tasks.
   */
  newestFinished(queries: ReadonlyArray<{ readonly taskName: string; readonly sinceMs: number }>): Promise<NewestFinished[]>
  /**
   * At most `limit` that finished at or before a time and are still in the broker, of each task and status the oldest. At most 1,000 tasks,
   * one round trip.
   */
  finishedBefore(taskNames: readonly string[], beforeMs: number, limit: number): Promise<FinishedReference[]>
  /** These with their payloads, in small batches; without those that are gone. */
  readFinished(references: readonly FinishedReference[]): AsyncIterable<FinishedExecution[]>
  /**
   * Removes from the broker those that are still finished and did so at or before a time. At most 1,000, one round trip. @returns how many
   */
  removeFinished(references: readonly FinishedReference[], beforeMs: number): Promise<number>

  /**
   * Creates or replaces the effect of a schedule. Does nothing when it stands already as wanted: its next run stays.
   * @param options `isNew`: it is known not to stand so, which saves two round trips. Default false.
   */
  upsertScheduler(definition: SchedulerDefinition, options?: { readonly isNew?: boolean }): Promise<void>
  /** Removes the effect of a schedule with its planned run, and a due one that has not started. @returns whether there was one. */
  removeScheduler(taskName: string, scheduleId: string): Promise<boolean>
  /**
   * Plans the next run again, by the clock of this process, where a process with a wrong clock planned it too far away.
   * @returns false where the run that would be next exists already; the plan stays then
   */
  planSchedulerAnew(definition: SchedulerDefinition): Promise<boolean>
  /** The effects that stand in the queues of tasks, with their next run: one round trip for every 500 tasks. */
  listSchedulers(taskNames: readonly string[]): Promise<SchedulerState[]>

  /** The ids of those whose effect stands as `upsertScheduler` would make it, with its planned run: one round trip for every 500. */
  standingAsDefined(definitions: readonly SchedulerDefinition[]): Promise<ReadonlySet<string>>

  /** Called when the connection to the broker is back after it was lost. @returns removes the listener */
  onReconnect(listener: () => void): () => void
}

export interface EnqueueRequest {
  readonly executionId: string
  readonly taskName: string
  readonly args: readonly unknown[]
  /** 1 and more. */
  readonly maxAttempts: number
  readonly backoff: Backoff
  readonly delayMs: number
  readonly priority: number
  readonly scheduleId: string | null
  readonly retryOf: string | null
  /** Not added while an execution of the task with this key stands: until that has finished, or for `ttlMs` from when it was added. */
  readonly deduplication?: { readonly key: string; readonly ttlMs: number | null }
}

/** Ids of executions that stand, by those of the requests that they stand in for. */
export type Duplicates = ReadonlyMap<string, string>

/** What a handler is given to run. */
export interface EngineRun {
  readonly executionId: string
  readonly taskName: string
  readonly args: readonly unknown[]
  /** 1 for the first attempt. */
  readonly attempt: number
  /** Whether a process took it before: one that failed, was lost, or handed it back. */
  readonly wasTaken: boolean
  readonly maxAttempts: number
  readonly scheduleId: string | null
  /** Whether its schedule planned it; false for a run of a schedule that somebody asked for. */
  readonly isPlanned: boolean
  /** For runs of a schedule the instant they were due, milliseconds since the epoch. */
  readonly dueAt: number
  readonly signal: AbortSignal
  log(line: string): Promise<void>
  progress(value: unknown): Promise<void>
}

/** What `run` resolves with for a run that must leave no record (a schedule's run left out by its overlap rule). */
export const LEFT_OUT: unique symbol = Symbol('left out')

export interface NewestFinished { readonly executions: readonly FinishedReference[]; readonly isAll: boolean }

/**
 * Finished executions stay in the broker so long: the reconciler records what a lost process, or a result backend that was away, did not.
 */
export const FINISHED_KEPT_MS = HOUR_MS

export interface WorkOptions {
  readonly taskName: string
  /** Executions at the same time in this process, 1 and more. */
  readonly concurrency: number
  readonly workerId: string
  /**
   * How often an execution whose process died runs again, 1 and more; one more death and it fails with EXECUTION_LOST. Such runs use up no
   * attempt.
   */
  readonly losses: number
  /** Over all workers of the task; null for none. Each worker keeps its own limit and counts what all of them start. */
  readonly rateLimit?: { readonly max: number; readonly durationMs: number } | null
  /** Milliseconds, or null for none. At the end the signal aborts and the attempt fails with EXECUTION_TIMEOUT; a `cpu` child is killed. */
  readonly timeoutMs: number | null
  /**
   * `io`: called for each run, on the event loop. `cpu`: the module whose default export runs in a process of its own,
   * inside `runWithExecution(run, callback)` of the `contextModule`; `before` is asked in this process first (same meaning as
   * LEFT_OUT when it resolves to false).
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
  /** An execution finished in this process, for good. */
  onFinished(execution: FinishedExecution): void
  /** An attempt failed and will be tried again. */
  onAttemptFailed(execution: Execution, attempt: ExecutionAttempt, args: readonly unknown[] | null): void
  /** Connection errors and the like; rate-limited by the engine. */
  onError(error: Error): void
}

export interface EngineWorker {
  /** Executions running in this process now. */
  readonly running: number
  /**
   * Milliseconds since the broker last did what this worker asked, on the connections it takes executions with. A healthy one asks every 15
   * s at least.
   */
  readonly silentForMs: number
  /** Why the broker refuses what this worker asks, a right that is missing for example: part of a sentence. Null while it does not. */
  readonly refusal: string | null
  /**
   * Takes no more, waits up to `graceMs` (default 10 000) for what runs, then aborts their signals and hands them back to
   * the queue without using up an attempt. Idempotent.
   */
  stop(options?: { graceMs?: number }): Promise<void>
}

export interface InFlightCounts {
  /** Waiting, delayed and prioritised, without planned runs of schedules. */
  readonly pending: number
  readonly running: number
}

export interface InFlightSummary extends InFlightCounts {
  /** Age in milliseconds of the oldest execution that is due and has not started; null when there is none. */
  readonly oldestPendingMs: number | null
}

export interface InFlightQuery {
  readonly taskNames: readonly string[]
  /** Default: both. */
  readonly status?: Extract<ExecutionStatus, 'pending' | 'running'>
  readonly scheduleId?: string
  /** Milliseconds since the epoch, by submission (pending) or start (running); inclusive, exclusive. */
  readonly from?: number
  readonly to?: number
  /**
   * Asked of each that the rest leaves over, with its arguments: null when they are not ours or not needed, undefined when they are
   * larger than 256 KiB. Counts towards the 1,000 looked at for a page.
   */
  isWanted?(execution: Execution, args: readonly unknown[] | null | undefined): boolean
  /** Whether `isWanted` needs the arguments of this one, at most 8 MiB for a page. Default: of each. */
  needsArgs?(execution: Execution): boolean
  /** By submission (pending) or start (running). */
  readonly order: ExecutionOrder
  readonly limit: number
  /** `next` of the page before. */
  readonly cursor?: string
}

export interface InFlightPage {
  /** As they were used up: whoever shows them puts them in order. */
  readonly executions: Execution[]
  /** null on the last page. */
  readonly next: string | null
  /** The cursor behind the first `count` of them. */
  after(count: number): string
  /** How many the queues hold of that status, whatever else was asked for, at the moment the page was read. */
  readonly held: number
  /** How many were looked at for this page. */
  readonly scanned: number
  /** Of these, what was not wanted, but whose arguments were too large to look at. */
  readonly skipped: number
}

export interface SchedulerDefinition {
  readonly scheduleId: string
  readonly taskName: string
  readonly timing: { readonly cron: string; readonly timezone: string } | { readonly intervalMs: number; readonly anchorAt: number }
  /** Each run is put off by 0 to this many milliseconds. Default 0. */
  readonly jitterMs?: number
  /** No run is due before, or after, it, jitter left out of account. Milliseconds since the epoch, default null. */
  readonly startAt?: number | null
  readonly endAt?: number | null
  readonly args: readonly unknown[]
  readonly priority: number
  readonly maxAttempts: number
  readonly backoff: Backoff
}

export interface SchedulerState {
  readonly scheduleId: string
  readonly taskName: string
  /** Milliseconds since the epoch; in the past when the run is due and no worker took it. */
  readonly nextRunAt: number
}

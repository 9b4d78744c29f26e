import type { ExecutionState, ExecutionStatus, MISSING_FIELDS } from '../schemas/execution.ts'

/** The error of an attempt. `stack` is null in lists, and if none was kept. */
export interface ExecutionFailure {
  /** Class of the error, or `Error` if it has none. */
  readonly type: string
  readonly message: string
  readonly stack: string | null
}

/** One attempt that ended. Times are in milliseconds since the epoch, null if they were lost with a process. */
export interface ExecutionAttempt {
  /** 1 for the first. */
  readonly attempt: number
  readonly startedAt: number | null
  readonly finishedAt: number | null
  readonly workerId: string | null
  readonly error: ExecutionFailure | null
  /** Only in the history: JSON pointers, relative to the attempt, to fields that were cut. Absent if none. */
  readonly truncated?: readonly string[]
}

/**
 * A start that did not finish, because its process died or handed it back while stopping. It does not use up an attempt. Times are in
 * milliseconds since the epoch.
 */
export interface ExecutionLoss {
  /** The attempt, which then started again. */
  readonly attempt: number
  readonly startedAt: number
  /** When it was handed back, or when the loss was detected. */
  readonly endedAt: number
  readonly workerId: string | null
  readonly isHandedBack: boolean
}

/** The first request to cancel an execution. */
export interface ExecutionCancellation {
  /** Milliseconds since the epoch. */
  readonly requestedAt: number
  /** Null if unknown. */
  readonly requestedBy: string | null
  readonly reason: string | null
}

/** How an execution ended. A cancelled one is neither a success nor a failure: no count and no rate includes it. */
export type FinishedStatus = 'success' | 'failed' | 'cancelled'

/**
 * One run of a task, as used by the engine, the result backend and the queue app. Times are in milliseconds since the epoch, durations in
 * milliseconds. `Execution` in `schemas/` is its wire format.
 */
export interface Execution {
  readonly executionId: string
  readonly taskName: string
  readonly queue: string
  readonly status: ExecutionStatus
  readonly state: ExecutionState
  /** Attempts started; 0 before the first. */
  readonly attempt: number
  readonly maxAttempts: number
  readonly priority: number
  readonly scheduleId: string | null
  readonly retryOf: string | null
  readonly workerId: string | null
  readonly submittedAt: number
  /** When its next attempt is due. Only present while it is delayed, or waits for a retry. */
  readonly nextAttemptAt?: number
  /** Start of the last attempt. */
  readonly startedAt: number | null
  readonly finishedAt: number | null
  /** Time from when it was due (submitted, or the end of its delay) to its first start; null if unknown. */
  readonly waitMs: number | null
  /** How long the last attempt ran. */
  readonly durationMs: number | null
  readonly progress: unknown
  readonly error: ExecutionFailure | null
  readonly errorGroup: string | null
  /** Absent unless someone cancelled it. Lists have it only while the execution is unfinished. */
  readonly cancellation?: ExecutionCancellation
  /** The name that other code gave its job. Absent for our own tasks, and in lists of the history. */
  readonly jobName?: string
}

/** The fields that an execution rebuilt from events can lack. */
export type MissingField = (typeof MISSING_FIELDS)[number]

/** An execution with its payloads. */
export interface ExecutionDetail extends Execution {
  /** Positional arguments; null if they were not kept. */
  readonly args: readonly unknown[] | null
  readonly result: unknown
  /** Attempts that ended, oldest first. */
  readonly attempts: readonly ExecutionAttempt[]
  /** Earlier starts that did not finish, oldest first: the first one and the last 19. Absent if none. */
  readonly losses?: readonly ExecutionLoss[]
  readonly logs: readonly string[]
  /** JSON pointers to fields that were cut at a size limit, for example `/args` or `/attempts/0/error/stack`. */
  readonly truncated: readonly string[]
  /**
   * The fields that are unknown, because the job was gone before it could be read and this was rebuilt from the events of its queue. Events
   * do not contain `args`, `logs`, `stack`, `priority`, `max_attempts`, `submitted_at`, `started_at`, `job_name`. Absent if nothing is
   * missing.
   */
  readonly missing?: readonly MissingField[]
  /** Why `result` differs from what the handler returned; `truncated` then has `/result`. Absent if it does not differ. */
  readonly resultProblem?: string
  /** The arguments as they were before redaction, encrypted: see the option `redact.seal`. Absent if nothing was sealed. Never shown. */
  readonly sealed?: string
}

/** A finished execution, as the result backend keeps it. */
export interface FinishedExecution extends ExecutionDetail {
  readonly status: FinishedStatus
  readonly finishedAt: number
}

/** A reference to a finished execution that the broker still has. */
export interface FinishedReference {
  readonly executionId: string
  readonly taskName: string
  /** In the broker, a cancelled execution is among the failed ones. */
  readonly status: FinishedStatus
  /** By the clock of its worker. */
  readonly finishedAt: number
}

const MAX_DATE_MS = 8.64e15
/** Planned runs of a schedule: the engine puts the schedule id and the due time into their id. */
const PLANNED_RUN = /^repeat:.+:(\d{1,16})$/s

/** The time for which a schedule planned the execution with this id, in milliseconds since the epoch; null if no schedule planned it. */
export function plannedTimeOf(executionId: string): number | null {
  const [, planned] = PLANNED_RUN.exec(executionId) ?? []
  // A later time is not a valid date.
  return planned === undefined || Number(planned) > MAX_DATE_MS ? null : Number(planned)
}

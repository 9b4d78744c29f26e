import type { ExecutionState, ExecutionStatus } from '../schemas/execution.ts'

/** The error of an attempt. `stack` is null in lists and where none was kept. */
export interface ExecutionFailure {
  /** Class of the error, `Error` when it has none. */
  readonly type: string
  readonly message: string
  readonly stack: string | null
}

/** One attempt that ended. Times are milliseconds since the epoch, null when they were lost with a process. */
export interface ExecutionAttempt {
  /** 1 for the first. */
  readonly attempt: number
  readonly startedAt: number | null
  readonly finishedAt: number | null
  readonly workerId: string | null
  readonly error: ExecutionFailure | null
  /** In the ledger alone: JSON pointers, from here, of what was cut of it. Absent when nothing was. */
  readonly truncated?: readonly string[]
}

/**
 * A start that came to no end of its own: its process died, or handed it back when it stopped. It uses up no attempt. Times are
 * milliseconds since the epoch.
 */
export interface ExecutionLoss {
  /** The attempt that was begun, and began again. */
  readonly attempt: number
  readonly startedAt: number
  /** When it was handed back, or found to be lost. */
  readonly endedAt: number
  readonly workerId: string | null
  readonly isHandedBack: boolean
}

/**
 * One run of a task, as the engine, the result backend and the queue app speak of it. Times are milliseconds since the
 * epoch, durations milliseconds. The wire's form of it is `Execution` under `schemas/`.
 */
export interface Execution {
  readonly executionId: string
  readonly taskName: string
  readonly queue: string
  readonly status: ExecutionStatus
  readonly state: ExecutionState
  /** Attempts started; 0 while it never ran. */
  readonly attempt: number
  readonly maxAttempts: number
  readonly priority: number
  readonly scheduleId: string | null
  readonly retryOf: string | null
  readonly workerId: string | null
  readonly submittedAt: number
  /** When its next attempt is due. Absent unless it waits for one that is not the first. */
  readonly nextAttemptAt?: number
  /** Start of the last attempt. */
  readonly startedAt: number | null
  readonly finishedAt: number | null
  /** From being due (submitted, or the end of its delay) to its first start; null when not known. */
  readonly waitMs: number | null
  /** How long the last attempt ran. */
  readonly durationMs: number | null
  readonly progress: unknown
  readonly error: ExecutionFailure | null
  readonly errorGroup: string | null
}

/** An execution with its payloads. */
export interface ExecutionDetail extends Execution {
  /** Positional arguments; null when they were not kept. */
  readonly args: readonly unknown[] | null
  readonly result: unknown
  /** Attempts that ended, oldest first. */
  readonly attempts: readonly ExecutionAttempt[]
  /** Starts before the last that came to no end, oldest first: the first and the last 19. Absent when there were none. */
  readonly losses?: readonly ExecutionLoss[]
  readonly logs: readonly string[]
  /** JSON pointers of what was cut because it is over a size limit, for example `/args` or `/attempts/0/error/stack`. */
  readonly truncated: readonly string[]
  /** Why `result` is not what the handler returned, with `/result` in `truncated`. Absent when it is. */
  readonly resultProblem?: string
}

/** A finished execution: what the result backend keeps. */
export interface FinishedExecution extends ExecutionDetail {
  readonly status: 'success' | 'failed'
  readonly finishedAt: number
}

/** A finished execution that the broker still has, without what it holds. */
export interface FinishedReference {
  readonly executionId: string
  readonly taskName: string
  readonly status: 'success' | 'failed'
  /** By the clock of its worker. */
  readonly finishedAt: number
}

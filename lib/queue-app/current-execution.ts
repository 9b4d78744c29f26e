import { AsyncLocalStorage } from 'node:async_hooks'
import type { EngineRun } from '../engine/engine.ts'
import { createTaskDashboardError } from '../errors.ts'

/** What a handler can know of the execution it is running, and say about it. */
export interface CurrentExecution {
  readonly executionId: string
  readonly taskName: string
  /** 1 for the first attempt. */
  readonly attempt: number
  readonly maxAttempts: number
  /** The schedule that made this execution, or null. */
  readonly scheduleId: string | null
  /** Aborts at the timeout and when the process stops; hand it to `fetch` and the like. */
  readonly signal: AbortSignal
  /**
   * Keeps a line with the execution: at most 1,000 lines of 10,000 characters each; what is over is left out and a last
   * line says so. Never rejects: a line that cannot be written must not fail the execution.
   */
  log(line: string): Promise<void>
  /** Reports progress, any JSON value of at most 64 KiB; a larger one is left out. Never rejects. */
  progress(value: unknown): Promise<void>
}

export const LOG_LINES_MAX = 1000
export const LOG_LINE_MAX_LENGTH = 10_000
export const PROGRESS_MAX_BYTES = 64 * 1024

const storage = new AsyncLocalStorage<CurrentExecution>()

/** The execution whose handler is calling. Throws NO_CURRENT_EXECUTION outside of one. */
export function currentExecution(): CurrentExecution {
  const execution = storage.getStore()
  if (!execution) throw createTaskDashboardError('NO_CURRENT_EXECUTION')
  return execution
}

/** Calls a handler with its positional arguments, inside of its execution. Also called in the processes of `cpu` tasks. */
export function runWithExecution<Result>(run: EngineRun, handler: (...args: readonly unknown[]) => Result): Result {
  return storage.run(toCurrentExecution(run), () => handler(...run.args))
}

function toCurrentExecution(run: EngineRun): CurrentExecution {
  let lines = 0
  return {
    executionId: run.executionId,
    taskName: run.taskName,
    attempt: run.attempt,
    maxAttempts: run.maxAttempts,
    scheduleId: run.scheduleId,
    get signal() { return run.signal },
    async log(line) {
      lines++
      if (lines > LOG_LINES_MAX) return
      const text = lines === LOG_LINES_MAX ? '(further lines are left out)' : cut(toText(line))
      await run.log(text).catch(() => {})
    },
    async progress(value) {
      if (jsonBytes(value) > PROGRESS_MAX_BYTES) return
      await run.progress(value).catch(() => {})
    }
  }
}

/** Callers without types pass anything. */
function toText(line: unknown): string {
  try {
    return String(line)
  } catch {
    return '(a line that is no text)'
  }
}

function cut(line: string): string {
  return line.length <= LOG_LINE_MAX_LENGTH ? line : `${line.slice(0, LOG_LINE_MAX_LENGTH)}…`
}

function jsonBytes(value: unknown): number {
  try {
    return Buffer.byteLength(JSON.stringify(value) ?? '')
  } catch {
    return Infinity
  }
}

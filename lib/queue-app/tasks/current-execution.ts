import { AsyncLocalStorage } from 'node:async_hooks'
import type { EngineRun } from '../../engine/engine.ts'
import { createTaskDashboardError } from '../../errors.ts'
import { reportedJson } from '../../json/exact-json.ts'

/** The execution that a handler is running. */
export interface CurrentExecution {
  readonly executionId: string
  readonly taskName: string
  /** 1 for the first attempt. */
  readonly attempt: number
  readonly maxAttempts: number
  /** The schedule that enqueued this execution, or null. */
  readonly scheduleId: string | null
  /** Aborts at the timeout and when the process stops. Pass it to `fetch` and similar calls. */
  readonly signal: AbortSignal
  /**
   * Adds a line to the execution's log: at most 1,000 lines of 10,000 characters each. Further lines are dropped, and the last line says
   * so. Never rejects, because a lost line must not fail the execution.
   */
  log(line: string): Promise<void>
  /**
   * Reports progress: any JSON value of at most 64 KiB. Any other value is ignored; the first time, a line in the log says why. Never
   * rejects.
   */
  progress(value: unknown): Promise<void>
}

export const MAX_LOG_LINES = 1000
export const MAX_LOG_LINE_LENGTH = 10_000
export const MAX_PROGRESS_BYTES = 64 * 1024

const storage = new AsyncLocalStorage<CurrentExecution>()

/** The execution whose handler is calling. Throws NO_CURRENT_EXECUTION outside a handler. */
export function currentExecution(): CurrentExecution {
  const execution = storage.getStore()
  if (!execution) throw createTaskDashboardError('NO_CURRENT_EXECUTION')
  return execution
}

/** Calls a handler with its positional arguments, in the context of its execution. Also used in the processes of `cpu` tasks. */
export function runWithExecution<Result>(run: EngineRun, handler: (...args: readonly unknown[]) => Result): Result {
  return storage.run(new RunningExecution(run), handler, ...run.args)
}

/** Created for each run, so `log` and `progress` are created on demand. They are bound functions, so callers may destructure them. */
class RunningExecution implements CurrentExecution {
  readonly #run: EngineRun
  #lines = 0
  #hasToldOfProgress = false

  constructor(run: EngineRun) {
    this.#run = run
  }

  get executionId(): string { return this.#run.executionId }
  get taskName(): string { return this.#run.taskName }
  get attempt(): number { return this.#run.attempt }
  get maxAttempts(): number { return this.#run.maxAttempts }
  get scheduleId(): string | null { return this.#run.scheduleId }
  get signal(): AbortSignal { return this.#run.signal }

  get log(): CurrentExecution['log'] {
    return async line => {
      this.#lines++
      if (this.#lines > MAX_LOG_LINES) return
      const text = this.#lines === MAX_LOG_LINES ? '(further lines are left out)' : cut(toText(line))
      await this.#run.log(text).catch(() => {})
    }
  }

  get progress(): CurrentExecution['progress'] {
    return async value => {
      const problem = problemOf(value)
      if (problem === null) await this.#run.progress(value).catch(() => {})
      else if (!this.#hasToldOfProgress) {
        this.#hasToldOfProgress = true
        await this.log(`(left out: ${problem})`)
      }
    }
  }
}

/** Untyped callers may pass anything. */
function toText(line: unknown): string {
  try {
    return String(line)
  } catch {
    return '(a line that is not text)'
  }
}

function cut(line: string): string {
  return line.length <= MAX_LOG_LINE_LENGTH ? line : `${line.slice(0, MAX_LOG_LINE_LENGTH)}…`
}

function problemOf(progress: unknown): string | null {
  try {
    const bytes = Buffer.byteLength(reportedJson('progress', progress))
    return bytes <= MAX_PROGRESS_BYTES ? null : `progress is larger than ${MAX_PROGRESS_BYTES} bytes as JSON`
  } catch (error) {
    return error instanceof TypeError ? error.message : 'progress cannot be written as JSON'
  }
}

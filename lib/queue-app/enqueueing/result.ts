import { setTimeout as sleep } from 'node:timers/promises'
import type { ExecutionStatus } from '../../../schemas/execution.ts'
import { createTaskDashboardError, isTaskDashboardError } from '../../errors.ts'
import type { ExecutionDetail, ExecutionFailure } from '../../execution.ts'
import type { Jsonify } from '../../json/json-value.ts'
import { checkExecutionId, checkOptions } from './call-checks.ts'
import { HOUR_MS } from '../../time/units.ts'

export interface ExecutionResult<Result = unknown> {
  readonly executionId: string
  readonly status: ExecutionStatus
  /**
   * The handler's return value after JSON: a `Date` is a string. Null unless the status is `success`, or if `resultProblem` is set.
   */
  readonly result: Jsonify<Result> | null
  /** Why a successful execution has no result: JSON cannot represent it, or it is larger than 64 KiB. Otherwise null. */
  readonly resultProblem: string | null
  /** Null unless the status is `failed`. */
  readonly error: ExecutionFailure | null
}

export interface ResultOptions {
  /**
   * Milliseconds to wait for the execution to finish, 0 (default: do not wait) to 3,600,000. Then returns the state at that moment. The
   * wait ends early when the queue app stops, with the last known state.
   */
  waitMs?: number
}

const MAX_WAIT_MS = HOUR_MS
const POLL_FIRST_MS = 20
const POLL_SLOWEST_MS = 1000

/** Polls an execution until it is finished or the time is up; null if there is no such execution. */
export async function readResult<Result>(
  executionId: string,
  find: (executionId: string) => Promise<ExecutionDetail | null>,
  options: ResultOptions = {}
): Promise<ExecutionResult<Result> | null> {
  const waitMs = waitMsOf(executionId, options)
  const deadline = Date.now() + waitMs
  let last: ExecutionDetail | undefined
  for (let pause = POLL_FIRST_MS; ; pause = Math.min(pause * 1.5, POLL_SLOWEST_MS)) {
    let execution: ExecutionDetail | null
    try {
      execution = await find(executionId)
    } catch (error) {
      // The app stopped during the wait. An error here would crash a process that is shutting down cleanly.
      if (last !== undefined && isTaskDashboardError(error) && error.code === 'NOT_STARTED') return toResult(last)
      throw error
    }
    if (!execution) return null
    last = execution
    const finished = execution.status !== 'pending' && execution.status !== 'running'
    const left = deadline - Date.now()
    if (finished || left <= 0) return toResult(execution)
    await sleep(Math.min(pause, left))
  }
}

/** Checks the wait, because one that is not a number would never end. */
function waitMsOf(executionId: unknown, options: ResultOptions): number {
  checkExecutionId(executionId)
  checkOptions(options)
  const { waitMs = 0, ...rest } = options
  const unknown = Object.keys(rest)
  if (unknown.length > 0) throw createTaskDashboardError('INVALID_ARGUMENTS', [`unknown option ${unknown.join(', ')}`])
  if (typeof waitMs === 'number' && waitMs >= 0 && waitMs <= MAX_WAIT_MS) return waitMs
  throw createTaskDashboardError('INVALID_ARGUMENTS', [`waitMs must be a number from 0 to ${MAX_WAIT_MS}`])
}

function toResult<Result>({ executionId, status, result, resultProblem, error, truncated }: ExecutionDetail): ExecutionResult<Result> {
  return {
    executionId,
    status,
    result: status === 'success' && !truncated.includes('/result') ? result as Jsonify<Result> : null,
    resultProblem: resultProblem ?? null,
    error: status === 'failed' ? error : null
  }
}

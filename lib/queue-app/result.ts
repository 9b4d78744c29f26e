import { setTimeout as sleep } from 'node:timers/promises'
import type { ExecutionStatus } from '../../schemas/execution.ts'
import type { ExecutionDetail, ExecutionFailure } from '../execution.ts'

export interface ExecutionResult<Result = unknown> {
  readonly executionId: string
  readonly status: ExecutionStatus
  /** What the handler returned; null unless the status is `success`, and when the result was too large to keep. */
  readonly result: Result | null
  /** Null unless the status is `failed`. */
  readonly error: ExecutionFailure | null
}

export interface ResultOptions {
  /** Milliseconds to wait for the execution to finish, 0 (default: do not wait) to 3,600,000. After it the answer is what it is then. */
  waitMs?: number
}

const POLL_FIRST_MS = 20
const POLL_SLOWEST_MS = 1000

/** Reads an execution until it is finished or the time is over; null when there is no such execution. */
export async function readResult<Result>(
  executionId: string,
  find: (executionId: string) => Promise<ExecutionDetail | null>,
  { waitMs = 0 }: ResultOptions = {}
): Promise<ExecutionResult<Result> | null> {
  const deadline = Date.now() + Math.min(Math.max(waitMs, 0), 3_600_000)
  for (let pause = POLL_FIRST_MS; ; pause = Math.min(pause * 1.5, POLL_SLOWEST_MS)) {
    const execution = await find(executionId)
    if (!execution) return null
    const finished = execution.status === 'success' || execution.status === 'failed'
    const left = deadline - Date.now()
    if (finished || left <= 0) return toResult(execution)
    await sleep(Math.min(pause, left))
  }
}

function toResult<Result>({ executionId, status, result, error, truncated }: ExecutionDetail): ExecutionResult<Result> {
  return {
    executionId,
    status,
    result: status === 'success' && !truncated.includes('/result') ? result as Result : null,
    error: status === 'failed' ? error : null
  }
}

import { v7 as uuid } from 'uuid'
import { EXECUTION_ID_MAX_LENGTH, PRINTABLE, PRIORITY_MAX } from '../../schemas/limits.ts'
import type { EnqueueRequest } from '../engine/engine.ts'
import { createTaskDashboardError } from '../errors.ts'
import { exactJson } from '../exact-json.ts'

export interface EnqueueOptions {
  /** Milliseconds before it may run, 0 to 31,536,000,000 (a year). Default 0. */
  delayMs?: number
  /** 0 (default: no priority, runs first), then 1 (most urgent) to 2,097,151. Source: https://docs.bullmq.io/guide/jobs/prioritized */
  priority?: number
  /** Id of the execution that this one repeats, 1 to 200 characters: it is shown with it. Default: none. */
  retryOf?: string
}

export const ENQUEUED_ARGS_MAX_BYTES = 8 * 1024 * 1024
export const DELAY_MAX_MS = 31_536_000_000
const TEXT = new RegExp(PRINTABLE, 'u')

/** Checks arguments and options. Throws INVALID_ARGUMENTS. */
export function createEnqueueRequest(
  taskName: string,
  args: readonly unknown[],
  options: EnqueueOptions,
  { retries, retryDelay }: { retries: number; retryDelay: number }
): EnqueueRequest {
  if (typeof options !== 'object' || options === null) throw invalid('options must be an object')
  const { delayMs = 0, priority = 0, retryOf = null, ...rest } = options
  const unknown = Object.keys(rest)
  if (unknown.length > 0) throw invalid(`unknown option ${unknown.join(', ')}`)
  if (!Array.isArray(args)) throw invalid('args must be an array: the positional arguments of the handler')
  const json = toJson(args)
  if (Buffer.byteLength(json) > ENQUEUED_ARGS_MAX_BYTES) {
    throw invalid(`the arguments are larger than ${ENQUEUED_ARGS_MAX_BYTES} bytes as JSON; pass a reference to them instead`)
  }
  if (!Number.isInteger(delayMs) || delayMs < 0 || delayMs > DELAY_MAX_MS) throw invalid(`delayMs must be an integer from 0 to ${DELAY_MAX_MS}`)
  if (!Number.isInteger(priority) || priority < 0 || priority > PRIORITY_MAX) throw invalid(`priority must be an integer from 0 to ${PRIORITY_MAX}`)
  if (retryOf !== null && (typeof retryOf !== 'string' || !isExecutionId(retryOf))) throw invalid('retryOf must be the id of an execution')
  return {
    executionId: uuid(),
    taskName,
    args: JSON.parse(json) as unknown[],
    maxAttempts: retries + 1,
    retryDelayMs: Math.round(retryDelay * 1000),
    delayMs,
    priority,
    scheduleId: null,
    retryOf
  }
}

function toJson(args: readonly unknown[]): string {
  try {
    return exactJson(args)
  } catch (error) {
    throw invalid(`the arguments cannot be written as JSON (${error instanceof Error ? String(error.message).split('\n')[0] : 'unknown reason'})`)
  }
}

function invalid(reason: string) {
  return createTaskDashboardError('INVALID_ARGUMENTS', [reason])
}

/** As the API takes one. */
function isExecutionId(text: string): boolean {
  return text !== '' && [...text].length <= EXECUTION_ID_MAX_LENGTH && TEXT.test(text)
}

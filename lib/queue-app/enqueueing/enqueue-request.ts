import { v7 as uuid } from 'uuid'
import { MAX_DELAY_MS, MAX_PRIORITY } from '../../../schemas/limits.ts'
import type { Backoff } from '../../time/backoff.ts'
import type { EnqueueRequest } from '../../engine/engine.ts'
import { createTaskDashboardError } from '../../errors.ts'
import { exactJson } from '../../json/exact-json.ts'
import { checkArray, checkOptions, isExecutionId } from './call-checks.ts'
import { deduplicationProblems, toDeduplication, type DeduplicationOptions } from '../tasks/deduplication.ts'
import { retryProblems, toBackoff, type RetryOptions } from '../tasks/retry-options.ts'

export interface EnqueueOptions<Args extends readonly unknown[] = never[]> extends RetryOptions {
  /** Milliseconds before it may run, 0 to 31,536,000,000 (a year). Default 0. */
  delayMs?: number
  /** 0 (default: no priority, runs first), then 1 (most urgent) to 2,097,151. Source: https://docs.bullmq.io/guide/jobs/prioritized */
  priority?: number
  /** Id of the execution that this one repeats, 1 to 200 characters. The dashboard links the two. Default: none. */
  retryOf?: string
  /** Adds nothing while another execution of the task holds the same key. */
  deduplication?: DeduplicationOptions<Args>
}

export const MAX_ENQUEUED_ARGS_BYTES = 8 * 1024 * 1024

/**
 * Checks arguments and options. Throws INVALID_ARGUMENTS.
 * @param place where the arguments are in the caller's input, for messages
 */
export function createEnqueueRequest<Args extends readonly unknown[]>(
  taskName: string,
  args: readonly unknown[],
  options: EnqueueOptions<Args>,
  policy: { readonly retries: number; readonly backoff: Backoff },
  place = 'args'
): EnqueueRequest {
  checkOptions(options)
  const { delayMs = 0, priority = 0, retryOf = null, retries = policy.retries, retryDelayMs, backoff, deduplication, ...rest } = options
  const unknown = Object.keys(rest)
  if (unknown.length > 0) throw invalid(`unknown option ${unknown.join(', ')}`)
  checkArray(place, args, 'the positional arguments of the handler')
  const json = toJson(place, args)
  if (Buffer.byteLength(json) > MAX_ENQUEUED_ARGS_BYTES) {
    throw invalid(`${place} is larger than ${MAX_ENQUEUED_ARGS_BYTES} bytes as JSON; pass a reference to the data instead`)
  }
  if (!Number.isInteger(delayMs) || delayMs < 0 || delayMs > MAX_DELAY_MS)
    throw invalid(`delayMs must be an integer from 0 to ${MAX_DELAY_MS}`)
  if (!Number.isInteger(priority) || priority < 0 || priority > MAX_PRIORITY)
    throw invalid(`priority must be an integer from 0 to ${MAX_PRIORITY}`)
  if (retryOf !== null && (typeof retryOf !== 'string' || !isExecutionId(retryOf))) throw invalid('retryOf must be the id of an execution')
  const problems = [...retryProblems({ retries, retryDelayMs, backoff }), ...deduplicationProblems(deduplication)]
  if (problems.length > 0) throw invalid(problems.join('; '))
  return {
    executionId: uuid(),
    taskName,
    args: JSON.parse(json) as unknown[],
    maxAttempts: retries + 1,
    backoff: toBackoff(options) ?? policy.backoff,
    delayMs,
    priority,
    scheduleId: null,
    retryOf,
    ...deduplication && { deduplication: toDeduplication(deduplication, args) }
  }
}

function toJson(place: string, args: readonly unknown[]): string {
  try {
    return exactJson(args, place)
  } catch (error) {
    throw invalid(error instanceof TypeError ? error.message : `${place} cannot be written as JSON`)
  }
}

function invalid(reason: string) {
  return createTaskDashboardError('INVALID_ARGUMENTS', [reason])
}

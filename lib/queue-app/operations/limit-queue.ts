import { MAX_LIVE_CONCURRENCY } from '../../../schemas/limits.ts'
import type { Engine } from '../../engine/engine.ts'
import { createTaskDashboardError, invalidInput } from '../../errors.ts'
import { confirmed } from '../../stores/failures/unavailable.ts'
import type { QueueOverview } from '../monitoring/monitoring.ts'
import { rateLimitProblems, type RateLimit } from '../tasks/rate-limit.ts'
import { checkReason } from './action-reason.ts'
import type { Operations, QueueLimitsInput } from './operations.ts'

interface LimitDependencies {
  readonly engine: Pick<Engine, 'limitQueue'>
  /** By the name of the queue or its task. */
  find(name: string): Promise<QueueOverview | null>
}

/**
 * See `Operations.limitQueue`. The other figures in the response are from before the change. `rateLimitedUntil` is null if the rate has
 * changed, because the time for the old rate says nothing about the new one.
 */
export function createLimitQueue({ engine, find }: LimitDependencies): Operations['limitQueue'] {
  return async (name, { concurrency, rate, reason, by = null }: QueueLimitsInput = {}) => {
    const request = {
      by, reason: checkReason(reason), ...concurrency !== undefined && { concurrency }, ...rate !== undefined && { rate }
    }
    checkConcurrency(concurrency)
    if (rate !== undefined && rate !== null) checkRate(rate)
    const queue = typeof name === 'string' ? await find(name) : null
    if (queue === null) throw createTaskDashboardError('QUEUE_NOT_FOUND', [String(name)])
    if (rate && queue.rateLimit !== null) checkWindow(rate, queue.rateLimit)
    if (concurrency === undefined && rate === undefined) return queue
    const limits = await confirmed(() => engine.limitQueue(queue.taskName, request))
    return { ...queue, limits, ...!isSameRate(limits?.rate, queue.limits?.rate) && { rateLimitedUntil: null } }
  }
}

function isSameRate(one: RateLimit | null | undefined, other: RateLimit | null | undefined): boolean {
  return one?.max === other?.max && one?.durationMs === other?.durationMs
}

function checkConcurrency(concurrency: number | null | undefined): void {
  if (concurrency === undefined || concurrency === null) return
  if (!Number.isInteger(concurrency) || concurrency < 1 || concurrency > MAX_LIVE_CONCURRENCY)
    throw invalidInput('/concurrency', `must be null or a whole number from 1 to ${MAX_LIVE_CONCURRENCY}`)
}

function checkRate(rate: RateLimit): void {
  const [problem] = rateLimitProblems(rate)
  if (problem !== undefined) throw invalidInput('/rate', `is not a rate: ${problem.replace('rateLimit', 'rate')}`)
}

/** A worker measures the window of its own limit, so a live limit can only change how many executions start in it. */
function checkWindow({ durationMs }: RateLimit, inCode: RateLimit): void {
  if (durationMs !== inCode.durationMs)
    throw invalidInput('/rate/duration_ms', `must be ${inCode.durationMs}, the window of the limit in the code of this task`)
}

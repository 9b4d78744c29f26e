import type { Store } from '../../stores/store.ts'
import type { LimitsRequest, QueueLimits } from './queue-limits.ts'
import { limitOnRedis } from './redis-limits.ts'
import { limitInSql } from './sql-limits.ts'

/**
 * Sets BullMQ's limits of a queue, which the workers of every process obey from their next take on, stores who did it in the same step, and
 * wakes a worker. The same limits change nothing, unless they come with another reason.
 * @returns the limits that stand; null if all are lifted
 */
export function limitQueue(store: Store, queueName: string, request: LimitsRequest): Promise<QueueLimits | null> {
  return store.kind === 'redis' ? limitOnRedis(store, queueName, request) : limitInSql(store, queueName, request)
}

import type { Store } from '../../stores/store.ts'
import type { LimitsRequest, QueueLimits } from './queue-limits.ts'
import { limitOnRedis } from './redis-limits.ts'
import { limitInSql } from './sql-limits.ts'

/**
 * Sets BullMQ's limits of a queue, which the workers of every process obey from their next take on. In the same step, it stores who did it
 * and wakes a worker. Setting the same limits again changes nothing, unless the reason is different.
 * @returns the limits that now apply; null if all are lifted
 */
export function limitQueue(store: Store, queueName: string, request: LimitsRequest): Promise<QueueLimits | null> {
  return store.kind === 'redis' ? limitOnRedis(store, queueName, request) : limitInSql(store, queueName, request)
}

import type { Store } from '../../stores/store.ts'
import type { PauseRequest, QueuePause } from './queue-pause.ts'
import { pauseOnRedis, resumeDueOnRedis, resumeOnRedis } from './redis-pause.ts'
import { pauseInSql, resumeDueInSql, resumeInSql } from './sql-pause.ts'

/**
 * Pauses a queue as BullMQ does, so that the workers of every process stop taking executions. Stores who did it in the same step. A request
 * with the same reason and end as the current pause changes nothing; any other replaces it.
 */
export function pauseQueue(store: Store, queueName: string, request: PauseRequest): Promise<QueuePause> {
  return store.kind === 'redis' ? pauseOnRedis(store, queueName, request) : pauseInSql(store, queueName, request)
}

/** Does nothing if the queue is not paused. */
export function resumeQueue(store: Store, queueName: string): Promise<void> {
  return store.kind === 'redis' ? resumeOnRedis(store, queueName) : resumeInSql(store, queueName)
}

/**
 * Resumes the queues whose pause has ended by the store's clock. Any number of processes may do this at once.
 * @returns milliseconds until the next pause ends; null if none does
 */
export function resumeDue(store: Store): Promise<number | null> {
  return store.kind === 'redis' ? resumeDueOnRedis(store) : resumeDueInSql(store)
}

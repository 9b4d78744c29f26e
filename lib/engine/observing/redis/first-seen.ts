import { forgetOldest } from '../../../collections/forget-oldest.ts'
import { jobKey, type RedisQueue } from './redis-queue.ts'

/** How many jobs without a time are remembered per server. */
const MAX_SEEN = 10_000

const byClient = new WeakMap<RedisQueue['client'], Map<string, number>>()

/**
 * When this process first read a job that does not tell when it was added, milliseconds since the epoch. The first call for a job sets it,
 * so that its place in a list stays the same.
 */
export function firstSeenAt(queue: RedisQueue, jobId: string): number {
  const seen = byClient.get(queue.client) ?? new Map<string, number>()
  byClient.set(queue.client, seen)
  const key = jobKey(queue, jobId)
  const at = seen.get(key) ?? Date.now()
  seen.set(key, at)
  forgetOldest(seen, MAX_SEEN)
  return at
}

/** Called when the queue no longer has the job, or the job tells a time by now: a later job with its id was added later. */
export function forgetFirstSeen(queue: RedisQueue, jobId: string): void {
  byClient.get(queue.client)?.delete(jobKey(queue, jobId))
}

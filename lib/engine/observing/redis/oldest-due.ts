import type { StateCounts } from '../../queues/queue-reads.ts'
import { waitsSince } from '../observed-job.ts'
import { readShortFields, type JobAddress } from './read-jobs.ts'
import { readKey } from './read-key.ts'
import type { RedisQueue } from './redis-queue.ts'

/** When the oldest job of a queue that could start was due; null if there is none. Of those with a priority, looks at the most urgent. */
export async function oldestDueAt(queue: RedisQueue, counts: StateCounts, now: number): Promise<number | null> {
  const [wait, paused, prioritized, delayed] = await Promise.all([
    counts.waiting === 0 ? [] : readKey<string[]>(queue, 'wait', [], 'LRANGE', -1, -1),
    counts.waiting === 0 || !queue.seen.has('paused') ? [] : readKey<string[]>(queue, 'paused', [], 'LRANGE', -1, -1),
    counts.prioritized === 0 ? [] : readKey<string[]>(queue, 'prioritized', [], 'ZRANGE', 0, 0),
    counts.delayed === 0 ? [] : readKey<string[]>(queue, 'delayed', [], 'ZRANGE', 0, 0, 'WITHSCORES')
  ])
  const jobs = await readShortFields([...wait, ...paused, ...prioritized].map((id): JobAddress => ({ queue, id, score: null })))
  const dueAts = jobs.filter(job => job !== null).map(waitsSince)
  // Due, but not moved, because no worker asks.
  if (delayed.length === 2) dueAts.push(Math.floor(Number(delayed[1]) / 4096))
  const due = dueAts.filter(dueAt => dueAt <= now)
  return due.length === 0 ? null : Math.min(...due)
}

import type { StateCounts } from '../queues/queue-reads.ts'
import { queueKey, type ObservedQueue } from './observed-queue.ts'
import { readJobs, type JobAddress } from './read-jobs.ts'

/** When the oldest job of a queue that could start was due; null if there is none. Of those with a priority, looks at the most urgent. */
export async function oldestDueAt(queue: ObservedQueue, counts: StateCounts, now: number): Promise<number | null> {
  const { client } = queue
  const [wait, paused, prioritized, delayed] = await Promise.all([
    counts.waiting === 0 ? [] : client.read<string[]>('LRANGE', queueKey(queue, 'wait'), -1, -1),
    counts.waiting === 0 ? [] : client.read<string[]>('LRANGE', queueKey(queue, 'paused'), -1, -1),
    counts.prioritized === 0 ? [] : client.read<string[]>('ZRANGE', queueKey(queue, 'prioritized'), 0, 0),
    counts.delayed === 0 ? [] : client.read<string[]>('ZRANGE', queueKey(queue, 'delayed'), 0, 0, 'WITHSCORES')
  ])
  const jobs = await readJobs([...wait, ...paused, ...prioritized].map((id): JobAddress => ({ queue, id, score: null })))
  const dueAts = jobs.filter(job => job !== null)
    .map(job => job.attemptsMade > 0 ? job.processedOn ?? job.timestamp : job.timestamp + job.delay)
  // Due, but not moved, because no worker asks.
  if (delayed.length === 2) dueAts.push(Math.floor(Number(delayed[1]) / 4096))
  const due = dueAts.filter(dueAt => dueAt <= now)
  return due.length === 0 ? null : Math.min(...due)
}

import type { StateCounts } from '../../queues/queue-reads.ts'
import type { ShortCommand } from '../../../stores/redis/observing/read-together.ts'
import { dueAtFrom, waitsSince } from '../observed-job.ts'
import { readShortFields, type JobAddress } from './read-jobs.ts'
import { readKeys, type KeyRead } from './read-key.ts'
import { scoreFrom, type QueueKey, type RedisQueue } from './redis-queue.ts'

/** A queue and how many jobs it had when they were counted. */
export interface CountedRedisQueue { readonly queue: RedisQueue; readonly counts: StateCounts }

/**
 * When the oldest job of each queue that could start was due; null if there is none. Of the jobs with a priority, only the most urgent is
 * checked. All queues have the same client.
 */
export async function oldestDueAt(counted: readonly CountedRedisQueue[], now: number): Promise<Array<number | null>> {
  const reads = counted.flatMap(headsOf)
  const heads = await readKeys(reads)
  const dueAts = new Map(counted.map(({ queue }) => [queue, [] as number[]]))
  const addresses: JobAddress[] = []
  for (const [index, { queue, kind }] of reads.entries()) {
    const [id, score] = heads[index]!
    // A delayed job that is due stays in this set while no worker asks for jobs.
    if (kind === 'delayed' && score !== undefined) dueAts.get(queue)!.push(dueAtFrom(scoreFrom(score)))
    else if (id !== undefined) addresses.push({ queue, id, score: null })
  }
  const jobs = await readShortFields(addresses)
  for (const [index, { queue }] of addresses.entries()) {
    const job = jobs[index]
    if (job) dueAts.get(queue)!.push(waitsSince(job))
  }
  return counted.map(({ queue }) => {
    const due = dueAts.get(queue)!.filter(dueAt => dueAt <= now)
    return due.length === 0 ? null : Math.min(...due)
  })
}

function headsOf({ queue, counts: { waiting, prioritized, delayed } }: CountedRedisQueue): Array<KeyRead<string[]>> {
  const read = (kind: QueueKey, command: ShortCommand, ...parameters: Array<string | number>): KeyRead<string[]> =>
    ({ queue, kind, empty: [], command, parameters })
  return [
    ...waiting > 0 ? [read('wait', 'LRANGE', -1, -1)] : [],
    ...waiting > 0 && queue.seen.has('paused') ? [read('paused', 'LRANGE', -1, -1)] : [],
    ...prioritized > 0 ? [read('prioritized', 'ZRANGE', 0, 0)] : [],
    ...delayed > 0 ? [read('delayed', 'ZRANGE', 0, 0, 'WITHSCORES')] : []
  ]
}

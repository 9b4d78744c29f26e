import type { FinishedState } from '../../finished/finished-sets.ts'
import { toTime } from '../observed-job.ts'
import { readKey } from './read-key.ts'
import { scoreFrom, type RedisQueue } from './redis-queue.ts'

/** The time at which a queue lists a finished job. Null if it does not list it in this state. */
export async function listedAt(queue: RedisQueue, state: FinishedState, jobId: string): Promise<number | null> {
  const score = await readKey<string | null>(queue, state, null, 'ZSCORE', jobId)
  return score === null ? null : listedTimeOf(scoreFrom(score))
}

/** Owners may write scores that are no times, or not the job's own time. */
export function listedTimeOf(score: number): number {
  return Math.max(toTime(score), 0)
}

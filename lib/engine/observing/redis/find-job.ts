import type { FoundInQueue } from '../observed-server.ts'
import { withListedFinish } from '../observed-job.ts'
import { readJob } from './read-jobs.ts'
import { readKey } from './read-key.ts'
import { listedAt, listedTimeOf } from './listed-at.ts'
import { jobKey, scoreFrom, type RedisQueue } from './redis-queue.ts'

/** How many entries of a list are searched for an id, from each of its two ends. */
export const MAX_LIST_SEARCHED = 50_000
const SETS = ['completed', 'failed', 'delayed', 'prioritized', 'waiting-children'] as const
/** How often a job is searched for, because it may move during the search. */
const MAX_TRIES = 4

/** State and fields are read one after the other. If they are not consistent, both are read again. */
export async function findJob(queue: RedisQueue, jobId: string): Promise<FoundInQueue | null> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const at = await stateOf(queue, jobId)
    const job = await readJob({ queue, id: jobId, score: at?.state === 'delayed' ? at.score : null })
    if (job === null) return null
    const isFinished = job.finishedOn !== null
    const finishedIn = at?.state === 'completed' || at?.state === 'failed' ? at.state : null
    if (at !== null && isFinished === (finishedIn !== null)) return { job, state: at.state }
    // Another client may not tell when the job finished. A job that was retried is no longer listed, or at another time.
    const listed = finishedIn === null ? null : await listedAt(queue, finishedIn, jobId)
    if (listed !== null && listed === listedTimeOf(at!.score!)) return { job: withListedFinish(job, listed), state: finishedIn! }
    if (at === null && !isFinished && await queue.client.read<number>('EXISTS', jobKey(queue, jobId)) === 0) return null
  }
  return null
}

async function stateOf(queue: RedisQueue, jobId: string): Promise<{ state: string; score: number | null } | null> {
  const [scores, active, wait, paused] = await Promise.all([
    Promise.all(SETS.map(state => readKey<string | null>(queue, state, null, 'ZSCORE', jobId))),
    placeIn(queue, 'active', jobId), placeIn(queue, 'wait', jobId), placeIn(queue, 'paused', jobId)
  ])
  if (typeof active === 'number') return { state: 'active', score: null }
  const index = scores.findIndex(score => score !== null)
  const state = SETS[index]
  if (state !== undefined) return { state, score: scoreFrom(scores[index]!) }
  // A job that is nowhere else must be in the part of a long list that is not searched.
  if (wait !== null || paused !== null) return { state: 'waiting', score: null }
  return active === 'unsearched' ? { state: 'active', score: null } : null
}

type List = 'active' | 'wait' | 'paused'

/**
 * How many jobs of the list workers take before it; null if the list does not have it. `unsearched`: the list is longer than what is
 * searched, so the job may be in its middle.
 */
async function placeIn(queue: RedisQueue, list: List, jobId: string): Promise<number | 'unsearched' | null> {
  const [length, fromTail, fromHead] = await Promise.all([
    readKey(queue, list, 0, 'LLEN'),
    readKey<number | null>(queue, list, null, 'LPOS', jobId, 'RANK', -1, 'MAXLEN', MAX_LIST_SEARCHED),
    readKey<number | null>(queue, list, null, 'LPOS', jobId, 'MAXLEN', MAX_LIST_SEARCHED)
  ])
  const at = fromTail ?? fromHead
  if (at !== null) return Math.max(length - 1 - at, 0)
  return length > 2 * MAX_LIST_SEARCHED ? 'unsearched' : null
}

/** How many jobs of the list workers take before a waiting one, or MAX_LIST_SEARCHED if more; null if the list does not have it. */
export async function positionIn(queue: RedisQueue, list: List, jobId: string): Promise<number | null> {
  const place = await placeIn(queue, list, jobId)
  return place === 'unsearched' ? MAX_LIST_SEARCHED : place
}

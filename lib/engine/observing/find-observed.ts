import { readObservedId } from './observed-id.ts'
import type { ObservedJob } from './observed-job.ts'
import { jobKey, type ObservedQueue } from './observed-queue.ts'
import { readJobs } from './read-jobs.ts'
import { readKey } from './read-key.ts'

export interface FoundObserved {
  readonly queue: ObservedQueue
  readonly job: ObservedJob
  /** In BullMQ's naming. */
  readonly state: string
}

/** How far from the end where workers take jobs a list is searched for an id, then from the other. */
export const LIST_SEARCHED = 50_000
const SETS = ['completed', 'failed', 'delayed', 'prioritized', 'waiting-children'] as const
/** A job that moves while it is looked for is looked for again. */
const TRIES = 4

/** The job of an execution, if its queue still has it. Of a finished execution, only while the job has not run again. */
export async function findObserved(
  queueOf: (taskName: string) => ObservedQueue | undefined, executionId: string
): Promise<FoundObserved | null> {
  for (const { taskName, jobId, finishedOn } of readObservedId(executionId)) {
    const queue = queueOf(taskName)
    const found = queue === undefined ? null : await findJob(queue, jobId)
    if (found !== null && (finishedOn === null || found.job.finishedOn === finishedOn)) return found
  }
  return null
}

/** State and fields are read one after the other, so both are read again until they fit. */
export async function findJob(queue: ObservedQueue, jobId: string): Promise<FoundObserved | null> {
  for (let tries = 0; tries < TRIES; tries++) {
    const at = await stateOf(queue, jobId)
    const [job] = await readJobs([{ queue, id: jobId, score: at?.score ?? null }])
    if (job === null || job === undefined) return null
    const isFinished = job.finishedOn !== null
    if (at !== null && isFinished === (at.state === 'completed' || at.state === 'failed')) return { queue, job, state: at.state }
    if (at === null && !isFinished && await queue.client.read<number>('EXISTS', jobKey(queue, jobId)) === 0) return null
  }
  return null
}

async function stateOf(queue: ObservedQueue, jobId: string): Promise<{ state: string; score: number | null } | null> {
  const [scores, active, wait, paused] = await Promise.all([
    Promise.all(SETS.map(state => readKey<string | null>(queue, state, null, 'ZSCORE', jobId))),
    positionIn(queue, 'active', jobId), positionIn(queue, 'wait', jobId), positionIn(queue, 'paused', jobId)
  ])
  if (active !== null) return { state: 'active', score: null }
  const index = scores.findIndex(score => score !== null)
  const state = SETS[index]
  if (state !== undefined) return { state, score: state === 'delayed' ? Number(scores[index]) : null }
  return wait !== null || paused !== null ? { state: 'waiting', score: null } : null
}

/** How many are before it at the end where workers take jobs; null if it is in no part that is searched. */
export async function positionIn(queue: ObservedQueue, list: 'active' | 'wait' | 'paused', jobId: string): Promise<number | null> {
  const [length, fromTail, fromHead] = await Promise.all([
    readKey(queue, list, 0, 'LLEN'),
    readKey<number | null>(queue, list, null, 'LPOS', jobId, 'RANK', -1, 'MAXLEN', LIST_SEARCHED),
    readKey<number | null>(queue, list, null, 'LPOS', jobId, 'MAXLEN', LIST_SEARCHED)
  ])
  const at = fromTail ?? fromHead
  if (at !== null) return Math.max(length - 1 - at, 0)
  // A job that is nowhere else must be in the middle of a list that is too long to search.
  return length > 2 * LIST_SEARCHED ? LIST_SEARCHED : null
}

import type { Job, Queue } from 'bullmq'
import { dueAtFromJob } from './job-mapper.ts'
import { countQueue, type StateCounts } from './in-flight.ts'

/** Prioritised jobs are ordered by urgency: of so many of the most urgent the oldest counts. */
const PRIORITIZED_READ = 50

/** Of many queues together. */
export interface QueuesSummary extends StateCounts {
  /** When the oldest job was due that is due and has not started; null when there is none. */
  readonly oldestDueAt: number | null
}

/** Queue by queue. */
export async function summarizeQueues(queues: readonly Queue[], now: number): Promise<QueuesSummary> {
  const summaries = await Promise.all(queues.map(async queue => {
    const counts = await countQueue(queue, now)
    return { ...counts, oldestDueAt: await oldestDueAt(queue, now, counts) }
  }))
  return addUp(summaries)
}

/** One of all: counts added, and the earliest due time. */
export function addUp(summaries: readonly QueuesSummary[]): QueuesSummary {
  const sum = { waiting: 0, prioritized: 0, delayed: 0, active: 0, planned: 0 }
  let oldest = Infinity
  for (const summary of summaries) {
    for (const state of ['waiting', 'prioritized', 'delayed', 'active', 'planned'] as const) sum[state] += summary[state]
    oldest = Math.min(oldest, summary.oldestDueAt ?? Infinity)
  }
  return { ...sum, oldestDueAt: oldest === Infinity ? null : oldest }
}

async function oldestDueAt(queue: Queue, now: number, { waiting, prioritized, delayed }: StateCounts): Promise<number | null> {
  const jobs = await Promise.all([
    waiting > 0 ? queue.getJobs(['waiting'], waiting - 1, waiting - 1, false) : [],
    prioritized > 0 ? queue.getJobs(['prioritized'], 0, PRIORITIZED_READ - 1, true) : [],
    // Due and not promoted, because no worker is there to do it.
    delayed > 0 ? queue.getJobs(['delayed'], 0, 0, true) : []
  ])
  const oldest = Math.min(...jobs.flat().map(dueAgainAt).filter(at => at <= now))
  return oldest === Infinity ? null : oldest
}

/** A retry is due when its delay after the last attempt is over; of that attempt BullMQ keeps the start. */
function dueAgainAt(job: Job): number {
  if (job.attemptsMade === 0) return dueAtFromJob(job)
  const backoff = job.opts.backoff
  return (job.processedOn ?? job.timestamp) + (typeof backoff === 'object' ? backoff.delay ?? 0 : 0)
}

import { startableAgainAt } from '../jobs/earlier-starts.ts'
import { dueAtFromJob } from '../jobs/job-mapper.ts'
import type { JobFields } from '../jobs/job-fields.ts'
import type { StateCounts } from './queue-reads.ts'

/** Totals over many queues. */
export interface QueuesSummary extends StateCounts {
  /** When the oldest due job that has not started was due; null when there is none. */
  readonly oldestDueAt: number | null
}

/** Adds the counts and takes the earliest due time. */
export function addUp(summaries: readonly QueuesSummary[]): QueuesSummary {
  const sum = { waiting: 0, prioritized: 0, delayed: 0, active: 0, planned: 0 }
  let oldest = Infinity
  for (const summary of summaries) {
    for (const state of ['waiting', 'prioritized', 'delayed', 'active', 'planned'] as const) sum[state] += summary[state]
    oldest = Math.min(oldest, summary.oldestDueAt ?? Infinity)
  }
  return { ...sum, oldestDueAt: oldest === Infinity ? null : oldest }
}

/** When a retry is due: after its backoff. If that is unknown, at the start of its last attempt. */
export function dueAgainAt(job: JobFields): number {
  return job.attemptsMade === 0 ? dueAtFromJob(job) : startableAgainAt(job) ?? job.processedOn ?? job.timestamp
}

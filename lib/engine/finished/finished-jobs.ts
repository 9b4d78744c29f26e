import type { Job } from 'bullmq'
import type { FinishedExecution, FinishedReference } from '../../execution.ts'
import type { FinishedJob, FinishedState } from './finished-sets.ts'
import { finishedExecutionFromJob } from '../jobs/job-mapper.ts'
import type { JobData } from '../jobs/job-fields.ts'
import { queueNameFromTask, taskFromQueueName } from '../jobs/queue-name.ts'

export interface FinishedJobsOptions {
  /** Ends paging; what finished before it, by its worker's clock, and stands on a page that was read, is told too. */
  readonly sinceMs: number
  readonly missing: (ids: string[]) => Promise<string[]>
  readonly page: (state: FinishedState, start: number, size: number) => Promise<readonly FinishedJob[]>
  readonly read: ReadJobs
}

/** The jobs of these that are still there, with what they hold. */
export type ReadJobs = (jobs: readonly FinishedJob[]) => Promise<Array<{ job: Job; execution: FinishedExecution }>>

/** Ids asked for at a time. */
const PAGE = 500
/** Ids that are held at most: those of an hour may be millions. */
const HELD = 50_000
/** Jobs read at a time, and the characters of arguments and results that they should have at most, all together. */
const JOBS = 25
const CHARACTERS = 8 * 1024 * 1024

/** Finished jobs that are missing, the oldest first; the payloads of the others are not read. */
export async function * readFinished({ sinceMs, missing, page, read }: FinishedJobsOptions): AsyncIterable<FinishedExecution[]> {
  for (const state of ['completed', 'failed'] as const) {
    let reachedMs = sinceMs
    for (let isAll = false; !isAll;) {
      const found = await missingJobs(state, reachedMs)
      isAll = found.isAll
      for await (const executions of readInBatches(found.jobs, read, missing)) {
        reachedMs = Math.max(reachedMs, ...executions.map(({ finishedAt }) => finishedAt))
        yield executions
      }
    }
  }

  /** Read from the newest, so that those that finish or are removed meanwhile push none out of sight. */
  async function missingJobs(state: FinishedState, untilMs: number): Promise<{ jobs: FinishedJob[]; isAll: boolean }> {
    let jobs: FinishedJob[] = []
    let isAll = true
    for (let start = 0; ; start += PAGE) {
      const found = await page(state, start, PAGE)
      if (found.length === 0) break
      const wanted = new Set(await missing(found.map(({ id }) => id)))
      jobs.push(...found.filter(({ id }) => wanted.has(id)))
      if (jobs.length > 2 * HELD) {
        jobs = jobs.slice(-HELD)
        isAll = false
      }
      if (found.length < PAGE || found.at(-1)!.finishedOn < untilMs) break
    }
    return { jobs: jobs.reverse(), isAll }
  }
}

/** A few at a time, fewer where they are large. Those behind the first are asked for again, since it may have taken a while. */
export async function * readInBatches(
  jobs: readonly FinishedJob[], read: ReadJobs, missing: (ids: string[]) => Promise<string[]>
): AsyncIterable<FinishedExecution[]> {
  // The first few tell how large they are.
  for (let size = 4, next = 0; next < jobs.length;) {
    const batch = jobs.slice(next, next + size)
    const wanted = next === 0 ? null : new Set(await missing(batch.map(({ id }) => id)))
    const found = await read(wanted === null ? batch : batch.filter(({ id }) => wanted.has(id)))
    next += size
    size = Math.max(1, Math.min(JOBS, Math.floor(size * CHARACTERS / charactersOf(found.map(({ job }) => job)))))
    if (found.length > 0) yield found.map(({ execution }) => execution)
  }
}

export function toReference({ queueName, id, state, finishedOn }: FinishedJob): FinishedReference {
  return {
    executionId: id, taskName: taskFromQueueName(queueName), status: state === 'completed' ? 'success' : 'failed', finishedAt: finishedOn
  }
}

export function toJob({ taskName, executionId, status, finishedAt }: FinishedReference): FinishedJob {
  return {
    queueName: queueNameFromTask(taskName), id: executionId, state: status === 'success' ? 'completed' : 'failed', finishedOn: finishedAt
  }
}

export function executionOf(job: Job, state: FinishedState, log: readonly string[]): Array<{ job: Job; execution: FinishedExecution }> {
  const execution = finishedExecutionFromJob(job, state, log)
  return execution === null ? [] : [{ job, execution }]
}

function charactersOf(jobs: readonly Job[]): number {
  const lengthOf = (value: unknown) => typeof value === 'string' ? value.length : 0
  return jobs.reduce((sum, job) => sum + lengthOf((job.data as Partial<JobData> | null)?.args) + lengthOf(job.returnvalue), 1)
}

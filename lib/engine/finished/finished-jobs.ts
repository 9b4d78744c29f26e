import type { Job } from 'bullmq'
import type { FinishedExecution, FinishedReference } from '../../execution.ts'
import type { FinishedJob, FinishedState } from './finished-sets.ts'
import { finishedExecutionFromJob } from '../jobs/job-mapper.ts'
import type { JobData } from '../jobs/job-fields.ts'
import { queueNameFromTask, taskFromQueueName } from '../jobs/queue-name.ts'

export interface FinishedJobsOptions {
  /** Where paging stops. Jobs that finished earlier, by their worker's clock, are included if they are on a page that was read. */
  readonly sinceMs: number
  readonly missing: (ids: string[]) => Promise<string[]>
  readonly page: (state: FinishedState, start: number, size: number) => Promise<readonly FinishedJob[]>
  readonly read: ReadJobs
}

/** Reads the jobs that still exist, with their contents. */
export type ReadJobs = (
  jobs: readonly FinishedJob[]
) => Promise<Array<{ job: Pick<Job, 'data' | 'returnvalue'>; execution: FinishedExecution }>>

/** Ids per request. */
const PAGE_SIZE = 500
/** Maximum ids held in memory: an hour may have millions. */
const MAX_HELD = 50_000
/** Jobs per read, and the total characters of arguments and results to aim for. */
const MAX_JOBS_PER_READ = 25
const CHARACTERS_PER_READ = 8 * 1024 * 1024

/** Finished jobs that `missing` returns, oldest first. Payloads of the others are not read. */
export async function * readFinished({ sinceMs, missing, page, read }: FinishedJobsOptions): AsyncIterable<FinishedExecution[]> {
  for (const state of ['completed', 'failed'] as const) {
    let reachedMs = sinceMs
    for (let isAll = false; !isAll;) {
      const found = await missingJobs(state, reachedMs)
      isAll = found.isAll
      yield * readInBatches(found.jobs, read, missing)
      // By the times of the list. A job of other code may itself have any time.
      reachedMs = Math.max(reachedMs, found.jobs.at(-1)?.finishedOn ?? reachedMs)
    }
  }

  /** Starts at the newest, so that no job is missed when others finish or are removed during the read. */
  async function missingJobs(state: FinishedState, untilMs: number): Promise<{ jobs: FinishedJob[]; isAll: boolean }> {
    let jobs: FinishedJob[] = []
    let isAll = true
    for (let start = 0; ; start += PAGE_SIZE) {
      const found = await page(state, start, PAGE_SIZE)
      if (found.length === 0) break
      const wanted = new Set(await missing(found.map(({ id }) => id)))
      jobs.push(...found.filter(({ id }) => wanted.has(id)))
      if (jobs.length > 2 * MAX_HELD) {
        jobs = jobs.slice(-MAX_HELD)
        isAll = false
      }
      if (found.length < PAGE_SIZE || found.at(-1)!.finishedOn < untilMs) break
    }
    return { jobs: jobs.reverse(), isAll }
  }
}

/**
 * Reads a few jobs at a time, fewer if they are large. From the second batch on, it checks again which jobs are missing, because reading
 * may take a while.
 */
export async function * readInBatches(
  jobs: readonly FinishedJob[], read: ReadJobs, missing: (ids: string[]) => Promise<string[]>
): AsyncIterable<FinishedExecution[]> {
  // The first few jobs show how large they are.
  for (let size = 4, next = 0; next < jobs.length;) {
    const batch = jobs.slice(next, next + size)
    const wanted = next === 0 ? null : new Set(await missing(batch.map(({ id }) => id)))
    const found = await read(wanted === null ? batch : batch.filter(({ id }) => wanted.has(id)))
    next += size
    size = Math.max(1, Math.min(MAX_JOBS_PER_READ, Math.floor(size * CHARACTERS_PER_READ / charactersOf(found.map(({ job }) => job)))))
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

function charactersOf(jobs: ReadonlyArray<Pick<Job, 'data' | 'returnvalue'>>): number {
  const lengthOf = (value: unknown) => typeof value === 'string' ? value.length : 0
  return jobs.reduce((sum, job) => sum + lengthOf((job.data as Partial<JobData> | null)?.args) + lengthOf(job.returnvalue), 1)
}

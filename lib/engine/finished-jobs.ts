import type { Job, Queue } from 'bullmq'
import type { FinishedExecution } from '../execution.ts'
import { finishedExecutionFromJob, type JobData } from './job-mapper.ts'

export interface FinishedJobsOptions {
  /** Ends paging; what finished before it, by its worker's clock, and stands on a page that was read, is told too. */
  readonly sinceMs: number
  readonly missing: (ids: string[]) => Promise<string[]>
  readonly readLog: (job: Job) => Promise<readonly string[]>
  /** Makes each call end in time. */
  readonly request: <Result>(work: () => Promise<Result>) => Promise<Result>
}

type Finished = 'completed' | 'failed'

/** Ids asked for at a time. */
const PAGE = 500
/** Ids that are held at most: those of an hour may be millions. */
const HELD = 50_000
/** Jobs read at a time, and the characters of arguments and results that they should have at most, all together. */
const JOBS = 25
const CHARACTERS = 8 * 1024 * 1024

/** Finished jobs that are missing, the oldest first, since the broker forgets these first; the payloads of the others are not read. */
export async function * readFinished(queue: Queue, { sinceMs, missing, readLog, request }: FinishedJobsOptions): AsyncIterable<FinishedExecution[]> {
  for (const state of ['completed', 'failed'] as const) {
    let reachedMs = sinceMs
    for (let isAll = false; !isAll;) {
      const found = await missingIds(state, reachedMs)
      isAll = found.isAll
      // The first few tell how large they are.
      for (let size = 4, next = 0; next < found.ids.length;) {
        const ids = found.ids.slice(next, next + size)
        const jobs = await readJobs(next === 0 ? ids : await missing(ids), state)
        next += size
        size = Math.max(1, Math.min(JOBS, Math.floor(size * CHARACTERS / charactersOf(jobs.map(({ job }) => job)))))
        const executions = jobs.map(({ execution }) => execution)
        reachedMs = Math.max(reachedMs, ...executions.map(({ finishedAt }) => finishedAt))
        if (executions.length > 0) yield executions
      }
    }
  }

  /** Read from the newest, so that those that finish or are removed meanwhile push none out of sight. */
  async function missingIds(state: Finished, untilMs: number): Promise<{ ids: string[]; isAll: boolean }> {
    let ids: string[] = []
    let isAll = true
    for (let start = 0; ; start += PAGE) {
      const page = await request(() => queue.getRanges([state], start, start + PAGE - 1, false))
      if (page.length === 0) break
      const wanted = new Set(await missing(page))
      ids.push(...page.filter(id => wanted.has(id)))
      if (ids.length > 2 * HELD) {
        ids = ids.slice(-HELD)
        isAll = false
      }
      const oldest = await request(() => queue.getJob(page.at(-1)!)) as Job | undefined
      if (page.length < PAGE || (oldest?.finishedOn ?? Infinity) < untilMs) break
    }
    return { ids: ids.reverse(), isAll }
  }

  async function readJobs(ids: string[], state: Finished): Promise<Array<{ job: Job; execution: FinishedExecution }>> {
    const jobs = await Promise.all(ids.map(async id => {
      const job = await request(() => queue.getJob(id)) as Job | undefined
      if (job === undefined) return []
      const execution = finishedExecutionFromJob(job, state, await request(() => readLog(job)))
      return execution === null ? [] : [{ job, execution }]
    }))
    return jobs.flat()
  }
}

function charactersOf(jobs: readonly Job[]): number {
  const lengthOf = (value: unknown) => typeof value === 'string' ? value.length : 0
  return jobs.reduce((sum, job) => sum + lengthOf((job.data as Partial<JobData> | null)?.args) + lengthOf(job.returnvalue), 1)
}

import type { Job, Queue } from 'bullmq'
import type { FinishedExecution } from '../execution.ts'
import { finishedExecutionFromJob } from './job-mapper.ts'

/** Ids asked for at a time. */
const PAGE = 500

/** Finished jobs that ended at or after `sinceMs` and are missing, newest first; the payloads of the others are not read. */
export async function * readFinished(
  queue: Queue, sinceMs: number, missing: (ids: string[]) => Promise<string[]>, readLog: (job: Job) => Promise<string[]>
): AsyncIterable<FinishedExecution[]> {
  for (const state of ['completed', 'failed'] as const) {
    for (let start = 0; ; start += PAGE) {
      const ids = await queue.getRanges([state], start, start + PAGE - 1, false)
      if (ids.length === 0) break
      const wanted = await missing(ids)
      const executions = await Promise.all(wanted.map(async id => {
        const job = await queue.getJob(id) as Job | undefined
        return job === undefined ? null : finishedExecutionFromJob(job, state, await readLog(job))
      }))
      const batch = executions.filter(execution => execution !== null && execution.finishedAt >= sinceMs) as FinishedExecution[]
      if (batch.length > 0) yield batch

      const oldest = await queue.getJob(ids.at(-1)!) as Job | undefined
      if (ids.length < PAGE || (oldest?.finishedOn ?? Infinity) < sinceMs) break
    }
  }
}

import type { Job } from 'bullmq'
import { toStorableText } from '../jobs/storable.ts'

/**
 * How many log lines are kept per execution: the last ones. This is one more than the history keeps, so that the history can detect and
 * report that it cut them.
 */
export const MAX_LOG_LINES = 1_001
/** Characters per line. */
const MAX_LINE_LENGTH = 10_001

const linesOf = new WeakMap<Job, string[]>()

/**
 * Keeps the lines a job logs in memory, so that its record has them without reading them back. Any caller of `job.log`, handler or child
 * process, writes to both. Does nothing if the job's lines are kept already.
 * @param earlier lines of previous attempts
 */
export function keepLog(job: Job, earlier: readonly string[]): void {
  if (linesOf.has(job)) return
  const lines = [...earlier]
  linesOf.set(job, lines)
  const write = job.log.bind(job)
  job.log = line => {
    const text = toStorableText(String(line), MAX_LINE_LENGTH)
    lines.push(text)
    if (lines.length > MAX_LOG_LINES) lines.shift()
    return write(text)
  }
}

export function keptLog(job: Job): readonly string[] {
  return linesOf.get(job) ?? []
}

import type { Job } from 'bullmq'
import { toStorableText } from '../jobs/storable.ts'

/** Lines kept of the log of an execution, the last ones: one more than the ledger keeps, which thereby knows, and says, that it cut. */
export const KEPT_LOG_LINES = 1_001
/** Characters of a line. */
const MAX_LINE_LENGTH = 10_001

const linesOf = new WeakMap<Job, string[]>()

/**
 * Keeps the lines a job logs beside the job, so that its record has them without reading them back. Whoever calls
 * `job.log`, the handler or the child process, writes to both. Does nothing for a job whose lines are kept already.
 * @param earlier lines of the attempts before
 */
export function keepLog(job: Job, earlier: readonly string[]): void {
  if (linesOf.has(job)) return
  const lines = [...earlier]
  linesOf.set(job, lines)
  const write = job.log.bind(job)
  job.log = line => {
    const text = toStorableText(String(line), MAX_LINE_LENGTH)
    lines.push(text)
    if (lines.length > KEPT_LOG_LINES) lines.shift()
    return write(text)
  }
}

export function keptLog(job: Job): readonly string[] {
  return linesOf.get(job) ?? []
}

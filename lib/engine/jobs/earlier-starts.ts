import type { JobFields } from './job-fields.ts'

/** How an earlier start ended. */
export type StartEnd = 'failed' | 'lost' | 'handed_back'

/** A start of an execution that was followed by another. BullMQ keeps only the last one. Times are milliseconds since the epoch. */
export interface EarlierStart {
  /** 1 for the first start. A start after a loss counts as a start but not as an attempt. */
  readonly number: number
  /** 1 for the first attempt. */
  readonly attempt: number
  readonly startedAt: number
  readonly workerId: string | null
  readonly end: StartEnd
  /** When the end was noticed. */
  readonly endedAt: number
}

/** The job option in which `keepStarts` stores earlier starts. */
export const STARTS_FIELD = 'starts'
/** How many starts are kept at most: the first, which shows how long the execution waited, and the latest. */
export const MAX_STARTS = 20

/** Earlier starts of a job, as `keepStarts` wrote them, oldest first. Excludes the start that the job's own fields describe. */
export function earlierStarts(job: Pick<JobFields, 'opts' | 'attemptsStarted'>): EarlierStart[] {
  const kept = (job.opts as { [STARTS_FIELD]?: unknown })[STARTS_FIELD]
  if (!Array.isArray(kept)) return []
  return kept.filter(isKept).map(([number, attempt, startedAt, workerId, end, endedAt]) =>
    ({ number, attempt, startedAt, workerId: workerId === '' ? null : workerId, end, endedAt }))
    .filter(({ number }) => number < (job.attemptsStarted ?? 0))
}

/**
 * When a job that was started before may start again: after its backoff, or at once if it was handed back or lost. Null if it was never
 * started or nothing is known about its last start.
 */
export function startableAgainAt(job: Pick<JobFields, 'opts' | 'attemptsStarted'>): number | null {
  const kept = (job.opts as { [STARTS_FIELD]?: unknown })[STARTS_FIELD]
  const last: unknown = Array.isArray(kept) ? kept.at(-1) : undefined
  if (!isKept(last) || last[0] !== job.attemptsStarted) return null
  return last[6] ?? last[5]
}

type Kept = readonly [
  number: number, attempt: number, startedAt: number, workerId: string, end: StartEnd, endedAt: number, dueAgainAt?: number
]

function isKept(value: unknown): value is Kept {
  return Array.isArray(value) && [0, 1, 2, 5].every(index => typeof value[index] === 'number') && typeof value[3] === 'string' &&
    typeof value[4] === 'string' && (value[6] === undefined || typeof value[6] === 'number')
}

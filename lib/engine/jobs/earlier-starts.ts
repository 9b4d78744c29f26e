import type { JobFields } from './job-fields.ts'

/** How a start ended that was not the last one. */
export type StartEnd = 'failed' | 'lost' | 'handed_back'

/** A start of an execution that another one followed. BullMQ keeps the last one alone. Times are milliseconds since the epoch. */
export interface EarlierStart {
  /** 1 for the first start; a loss is a start, too, but no attempt. */
  readonly number: number
  /** 1 for the first attempt. */
  readonly attempt: number
  readonly startedAt: number
  readonly workerId: string | null
  readonly end: StartEnd
  /** When that was found. */
  readonly endedAt: number
}

/** The field of a job's options under which `keepStarts` puts them down. */
export const STARTS_FIELD = 'starts'
/** As many are kept: the first, which tells how long it waited, and the last ones. */
export const MAX_STARTS = 20

/**
 * Earlier starts of a job, as `keepStarts` wrote them: oldest first. What stands for the start that is told by the job itself is left out.
 */
export function earlierStarts(job: Pick<JobFields, 'opts' | 'attemptsStarted'>): EarlierStart[] {
  const kept = (job.opts as { [STARTS_FIELD]?: unknown })[STARTS_FIELD]
  if (!Array.isArray(kept)) return []
  return kept.filter(isKept).map(([number, attempt, startedAt, workerId, end, endedAt]) =>
    ({ number, attempt, startedAt, workerId: workerId === '' ? null : workerId, end, endedAt }))
    .filter(({ number }) => number < (job.attemptsStarted ?? 0))
}

/**
 * When a job that was started before may start again: at the end of its back-off, or at once when it was handed back or lost. Null when it
 * was not started, and while nothing is known of its last start.
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

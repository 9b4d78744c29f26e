import type { ExecutionStatus } from '../../../../schemas/index.ts'
import type { TimeRange } from '../time/time-range.ts'

/** Which executions a list shows; null leaves a field open. */
export interface ExecutionFilter {
  readonly status: ExecutionStatus | null
  readonly taskName: string | null
  readonly scheduleId: string | null
  readonly range: TimeRange | null
  readonly workerId: string | null
  readonly errorGroup: string | null
  /** It ran at least so long. */
  readonly minDurationMs: number | null
  /** In the search language. */
  readonly search: string | null
  /** By the time of the last change; null is the newest first. */
  readonly order: 'oldest' | null
}

export const everyExecution: ExecutionFilter = {
  status: null, taskName: null, scheduleId: null, range: null, workerId: null, errorGroup: null, minDurationMs: null, search: null,
  order: null
}

/** What takes every filter out of the address. */
export const NO_FILTER = {
  status: null, task: null, schedule: null, range: null, from: null, to: null, worker: null, group: null, took: null, search: null,
  order: null
}

/** Whether it leaves anything out; the order does not. */
export function isFiltered(filter: ExecutionFilter): boolean {
  return Object.values({ ...filter, order: null }).some(value => value !== null)
}

const MAX_DURATION_MS = 31_536_000_000

/** `5000` of the address; null when it is no length. */
export function minDurationFrom(text: string | null): number | null {
  const ms = Number(text)
  return text !== null && text.trim() !== '' && ms > 0 && ms <= MAX_DURATION_MS ? ms : null
}

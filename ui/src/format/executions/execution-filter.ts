import type { ExecutionStatus } from '../../../../schemas/index.ts'
import type { TimeRange } from '../time/time-range.ts'
import { MAX_DURATION_FILTER_MS } from '../../../../schemas/limits.ts'

/** Which executions a list shows; null means any. */
export interface ExecutionFilter {
  readonly status: ExecutionStatus | null
  readonly taskName: string | null
  readonly scheduleId: string | null
  readonly range: TimeRange | null
  readonly workerId: string | null
  readonly errorGroup: string | null
  /** Only executions that ran at least this long. */
  readonly minDurationMs: number | null
  /** In the search language. */
  readonly search: string | null
  /** The order by the time of the last change; null means the newest first. */
  readonly order: 'oldest' | null
}

export const everyExecution: ExecutionFilter = {
  status: null, taskName: null, scheduleId: null, range: null, workerId: null, errorGroup: null, minDurationMs: null, search: null,
  order: null
}

/** Removes every filter from the address. */
export const NO_FILTER = {
  status: null, task: null, schedule: null, range: null, from: null, to: null, worker: null, group: null, took: null, search: null,
  order: null
}

/** Whether a filter excludes anything. The order does not. */
export function isFiltered(filter: ExecutionFilter): boolean {
  return Object.values({ ...filter, order: null }).some(value => value !== null)
}

/** `5000` from the address; null if it is not a duration. */
export function minDurationFrom(text: string | null): number | null {
  const ms = Number(text)
  return text !== null && text.trim() !== '' && ms > 0 && ms <= MAX_DURATION_FILTER_MS ? ms : null
}

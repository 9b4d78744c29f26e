import { createHash } from 'node:crypto'
import type { Execution } from '../../execution.ts'
import type { InFlightQuery } from './in-flight-query.ts'
import type { Reached } from './in-flight-cursor.ts'

/** Its UTF-8 has at most 300 bytes. */
const MAX_WHOLE_ID = 100

/** By submission (pending) or start (running). */
export function timeOf(execution: Execution): number {
  return execution.status === 'running' ? execution.startedAt ?? execution.submittedAt : execution.submittedAt
}

/** Job ids of other code can have any length. The place is the same for each page, and fits into its cursor. */
export function placeOf(execution: Execution): Reached {
  const { executionId } = execution
  const id = executionId.length <= MAX_WHOLE_ID ? executionId : createHash('sha256').update(executionId).digest('hex')
  return { at: timeOf(execution), id }
}

/** In the requested order. */
export function compare(one: Execution, other: Execution, query: InFlightQuery): number {
  return comparePlaces(placeOf(one), placeOf(other), query)
}

export function comparePlaces(one: Reached, other: Reached, { order }: Pick<InFlightQuery, 'order'>): number {
  const oldestFirst = one.at - other.at || (one.id < other.id ? -1 : one.id > other.id ? 1 : 0)
  return order === 'oldest' ? oldestFirst : -oldestFirst
}

/** Whether it comes after the position reached, in the requested order. */
export function isBeyond(execution: Execution, reached: Reached | null, query: InFlightQuery): boolean {
  return reached === null || comparePlaces(placeOf(execution), reached, query) > 0
}

/** Whether it matches the query, apart from its text. */
export function isWithin(execution: Execution, { scheduleId, from, to }: InFlightQuery): boolean {
  const at = timeOf(execution)
  return (scheduleId === undefined || execution.scheduleId === scheduleId) && (from === undefined || at >= from) &&
    (to === undefined || at < to)
}

export function needsArgs(execution: Execution, { isWanted, needsArgs }: InFlightQuery): boolean {
  return isWanted !== undefined && (needsArgs?.(execution) ?? true)
}

import { createHash } from 'node:crypto'
import type { Execution } from '../../execution.ts'
import type { InFlightQuery } from './in-flight-query.ts'
import { MAX_ID_BYTES, type Reached } from './in-flight-cursor.ts'

/** An id of this many characters has at most `MAX_ID_BYTES` bytes as UTF-8. */
const MAX_WHOLE_ID = MAX_ID_BYTES / 3

/** The time of an execution in the list: its submission (pending) or start (running). */
export function timeOf(execution: Execution): number {
  return execution.status === 'running' ? execution.startedAt ?? execution.submittedAt : execution.submittedAt
}

export function placeOf(execution: Execution): Reached {
  return { at: timeOf(execution), id: shortIdOf(execution) }
}

/** In the requested order. */
export function compare(one: Execution, other: Execution, { order }: Pick<InFlightQuery, 'order'>): number {
  const oldestFirst = timeOf(one) - timeOf(other) || compareIds(shortIdOf(one), shortIdOf(other))
  return order === 'oldest' ? oldestFirst : -oldestFirst
}

export function comparePlaces(one: Reached, other: Reached, { order }: Pick<InFlightQuery, 'order'>): number {
  const oldestFirst = one.at - other.at || compareIds(one.id, other.id)
  return order === 'oldest' ? oldestFirst : -oldestFirst
}

function compareIds(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}

/** Job ids of other code can have any length. This id always fits into a cursor. */
function shortIdOf(execution: Execution): string {
  const { executionId } = execution
  if (executionId.length <= MAX_WHOLE_ID) return executionId
  const known = digests.get(execution) ?? createHash('sha256').update(executionId).digest('hex')
  digests.set(execution, known)
  return known
}

/** Cached, because a page compares each execution many times. */
const digests = new WeakMap<Execution, string>()

/** Whether it comes after the position reached, in the requested order. */
export function isBeyond(execution: Execution, reached: Reached | null, query: Pick<InFlightQuery, 'order'>): boolean {
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

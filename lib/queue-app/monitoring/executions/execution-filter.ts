import { parseSearch, type SearchFilters } from '../../../backend/search/parse-search.ts'
import { matchesText, searchableOf } from '../../../backend/search/searchable.ts'
import type { Execution } from '../../../execution.ts'
import type { ExecutionQuery } from './execution-page.ts'

/** The combined filters of a list of executions: query parameters and search. Times are compared with the last change. */
export type ExecutionFilter = Omit<SearchFilters, 'isContradictory'>

/**
 * All conditions of the query combined, or null if nothing can match them.
 * @throws INVALID_SEARCH
 */
export function executionFilterFrom(query: ExecutionQuery, nowMs: number): ExecutionFilter | null {
  const { isContradictory, ...search } = parseSearch(query.search ?? '', nowMs)
  const filter: { -readonly [Name in keyof ExecutionFilter]: ExecutionFilter[Name] } = { ...search }
  for (const name of ['status', 'taskName', 'scheduleId', 'workerId', 'errorGroup'] as const) {
    const asked = query[name]
    if (asked === undefined) continue
    if (filter[name] !== undefined && filter[name] !== asked) return null
    Object.assign(filter, { [name]: asked })
  }
  const lowest = { from: query.from, minDurationMs: query.minDurationMs }
  for (const name of ['from', 'minDurationMs'] as const)
    if (lowest[name] !== undefined) filter[name] = Math.max(filter[name] ?? 0, lowest[name])
  if (query.to !== undefined) filter.to = Math.min(filter.to ?? Infinity, query.to)
  const isEmpty = isContradictory || (filter.from !== undefined && filter.to !== undefined && filter.from >= filter.to) ||
    (filter.maxDurationMs !== undefined && (filter.minDurationMs ?? 0) >= filter.maxDurationMs)
  return isEmpty ? null : filter
}

/** Whether the text of an execution matches the filter. */
export function hasText(filter: ExecutionFilter, execution: Execution, args: readonly unknown[] | null): boolean {
  return filter.text.length === 0 || matchesText(searchableOf(execution, args), filter.text)
}

/** Whether an execution that was found by id matches the filter. */
export function isWithin(filter: ExecutionFilter, execution: Execution, args: readonly unknown[] | null): boolean {
  const { status, taskName, scheduleId, workerId, errorGroup, executionId, from, to, minDurationMs, maxDurationMs } = filter
  const at = lastChangeOf(execution)
  const duration = execution.finishedAt === null ? null : execution.durationMs
  return isOrAny(status, execution.status) && isOrAny(taskName, execution.taskName) && isOrAny(scheduleId, execution.scheduleId) &&
    isOrAny(workerId, execution.workerId) && isOrAny(errorGroup, execution.errorGroup) && isOrAny(executionId, execution.executionId) &&
    at >= (from ?? -Infinity) && at < (to ?? Infinity) &&
    (minDurationMs === undefined || (duration !== null && duration >= minDurationMs)) &&
    (maxDurationMs === undefined || (duration !== null && duration < maxDurationMs)) &&
    hasText(filter, execution, args)
}

/** When it finished, else started, else was submitted. An execution between two attempts is pending, so its submission counts. */
export function lastChangeOf(execution: Execution): number {
  if (execution.finishedAt !== null) return execution.finishedAt
  return execution.status === 'running' ? execution.startedAt ?? execution.submittedAt : execution.submittedAt
}

function isOrAny<Value>(wanted: Value | undefined, value: Value | null): boolean {
  return wanted === undefined || wanted === value
}

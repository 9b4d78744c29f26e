import type { FinishedListItem } from '../../entry/ledger-entry.ts'
import { toFinishedExecution } from '../../entry/ledger-entry.ts'
import type { FinishedQuery } from '../../result-backend.ts'
import { matchesText, searchableOf } from '../../search/searchable.ts'
import type { TextCondition } from '../../search/text-condition.ts'
import type { PageRow } from './read-page.ts'

/** All but the time, which lists go by, and the text. */
export function matchesFilters(item: FinishedListItem, query: FinishedQuery): boolean {
  const { status, taskName, scheduleId, workerId, errorGroup, minDurationMs, maxDurationMs } = query
  return (status === undefined || item.status === status) &&
    (taskName === undefined || item.taskName === taskName) &&
    (scheduleId === undefined || item.scheduleId === scheduleId) &&
    (workerId === undefined || item.workerId === workerId) &&
    (errorGroup === undefined || item.errorGroup === errorGroup) &&
    (minDurationMs === undefined || (item.durationMs !== null && item.durationMs >= minDurationMs)) &&
    (maxDurationMs === undefined || (item.durationMs !== null && item.durationMs < maxDurationMs))
}

/** As the words of an execution are meant, whatever a driver keeps of them. */
export function matchesWords({ item, payload }: PageRow, conditions: readonly TextCondition[]): boolean {
  if (conditions.length === 0) return true
  const execution = toFinishedExecution(item, payload, [])
  return matchesText(searchableOf(execution, execution.args), conditions)
}

import type { FinishedListItem } from '../../entry/ledger-entry.ts'
import { toFinishedExecution } from '../../entry/ledger-entry.ts'
import { filtersOf, type Filter } from '../../listing/filter-names.ts'
import type { FinishedQuery } from '../../result-backend.ts'
import { matchesText, searchableOf } from '../../search/searchable.ts'
import type { TextCondition } from '../../search/text-condition.ts'
import type { PageRow } from './read-page.ts'

type Matches<Name extends Filter> = (item: FinishedListItem, value: NonNullable<FinishedQuery[Name]>) => boolean

/** Every filter except text, which needs the payload, and `taskNames`. */
const MATCHES: { readonly [Name in Exclude<Filter, 'text' | 'taskNames'>]: Matches<Name> } = {
  status: (item, status) => item.status === status,
  taskName: (item, name) => item.taskName === name,
  scheduleId: (item, id) => item.scheduleId === id,
  workerId: (item, id) => item.workerId === id,
  errorGroup: (item, group) => item.errorGroup === group,
  minDurationMs: ({ durationMs }, ms) => durationMs !== null && durationMs >= ms,
  maxDurationMs: ({ durationMs }, ms) => durationMs !== null && durationMs < ms
}

/** Ignores the text, and the time range, by which the lists are ordered. Create it once per scan. */
export function createMatcher(query: FinishedQuery): (item: FinishedListItem) => boolean {
  const conditions = filtersOf(query).filter(name => name !== 'text').map(name => name === 'taskNames'
    ? createTaskMatcher(query)
    : conditionOn(name, query))
  return item => conditions.every(matches => matches(item))
}

/** Whether the query allows the task of an execution. */
export function createTaskMatcher({ taskNames }: FinishedQuery): (item: FinishedListItem) => boolean {
  if (taskNames === undefined) return () => true
  const names = new Set(taskNames)
  return ({ taskName }) => names.has(taskName)
}

function conditionOn<Name extends keyof typeof MATCHES>(name: Name, query: FinishedQuery): (item: FinishedListItem) => boolean {
  const value = query[name] as NonNullable<FinishedQuery[Name]>
  return item => MATCHES[name](item, value)
}

/** Compares the words of the execution itself, regardless of what the driver has stored for searching. */
export function matchesWords({ item, payload }: PageRow, conditions: readonly TextCondition[]): boolean {
  if (conditions.length === 0) return true
  const execution = toFinishedExecution(item, payload, [])
  return matchesText(searchableOf(execution, execution.args), conditions)
}

import type { FinishedQuery } from '../result-backend.ts'

/** The filters of a query. The time range is not one of them, because every access path is in finish order. */
const FILTERS = [
  'status', 'taskName', 'scheduleId', 'workerId', 'errorGroup', 'minDurationMs', 'maxDurationMs', 'text'
] as const satisfies ReadonlyArray<keyof FinishedQuery>

export type Filter = typeof FILTERS[number]

export function filtersOf(query: FinishedQuery): Filter[] {
  return FILTERS.filter(name => name === 'text' ? (query.text?.length ?? 0) > 0 : query[name] !== undefined)
}

/** Whether only failures can match: successes have no error text and no error group. */
export function matchesFailuresOnly({ status, errorGroup, text = [] }: FinishedQuery): boolean {
  return status === 'failed' || errorGroup !== undefined || text.some(condition => condition.in === 'error')
}

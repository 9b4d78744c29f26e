import type { FinishedQuery } from '../result-backend.ts'

/** The filters of a query. The time range is not one of them, because every access path is in finish order. */
export type Filter = Exclude<keyof FinishedQuery, 'from' | 'to' | 'order' | 'limit' | 'after'>

/** A record instead of a list: without an entry here, a new field of the query does not compile. */
const FILTERS: Record<Filter, true> = {
  status: true, taskName: true, taskNames: true, scheduleId: true, workerId: true, errorGroup: true, minDurationMs: true,
  maxDurationMs: true, text: true
}

const NAMES = Object.keys(FILTERS) as Filter[]

export function filtersOf(query: FinishedQuery): Filter[] {
  return NAMES.filter(name => name === 'text' ? (query.text?.length ?? 0) > 0 : query[name] !== undefined)
}

/** Whether only failures can match: successes have no error text and no error group. */
export function matchesFailuresOnly({ status, errorGroup, text = [] }: FinishedQuery): boolean {
  return status === 'failed' || errorGroup !== undefined || text.some(condition => condition.in === 'error')
}

import type { FinishedQuery } from '../result-backend.ts'

/** What a query may ask of an execution. The time is none of them: every access path is in order of the finish. */
const FILTERS = [
  'status', 'taskName', 'scheduleId', 'workerId', 'errorGroup', 'minDurationMs', 'maxDurationMs', 'text'
] as const satisfies ReadonlyArray<keyof FinishedQuery>

export type Filter = typeof FILTERS[number]

export function filtersOf(query: FinishedQuery): Filter[] {
  return FILTERS.filter(name => name === 'text' ? (query.text?.length ?? 0) > 0 : query[name] !== undefined)
}

/** Whether no success can match: it has no error whose words or group could be meant. */
export function matchesFailuresOnly({ status, errorGroup, text = [] }: FinishedQuery): boolean {
  return status === 'failed' || errorGroup !== undefined || text.some(condition => condition.in === 'error')
}

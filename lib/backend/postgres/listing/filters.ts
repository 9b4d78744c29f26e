import { toStorable } from '../../entry/storable-text.ts'
import type { Filter } from '../../listing/filter-names.ts'
import type { FinishedQuery } from '../../result-backend.ts'
import type { Parameters } from '../parameters.ts'
import { toSearchQuery } from '../search-text.ts'

/** Filters as SQL conditions on a row. */
const CONDITIONS: { readonly [Name in Filter]: (value: NonNullable<FinishedQuery[Name]>, parameters: Parameters) => string } = {
  status: (status, { add }) => status === 'cancelled' ? 'failed IS NULL' : `failed = ${add(status === 'failed')}::boolean`,
  taskName: (name, { add }) => `task_name = ${add(toStorable(name))}::text`,
  taskNames: (names, { add }) => `task_name = ANY(${add(names.map(toStorable))}::text[])`,
  scheduleId: (id, { add }) => `schedule_id = ${add(toStorable(id))}::text`,
  workerId: (id, { add }) => `worker_id = ${add(toStorable(id))}::text`,
  errorGroup: (group, { add }) => `error_group = ${add(toStorable(group))}::text`,
  minDurationMs: (ms, { add }) => `duration_ms >= ${add(ms)}::double precision`,
  maxDurationMs: (ms, { add }) => `duration_ms < ${add(ms)}::double precision`,
  text: (conditions, { add }) => `search @@ ${add(toSearchQuery(conditions))}::tsquery`
}

export function conditionOn<Name extends Filter>(name: Name, query: FinishedQuery, parameters: Parameters): string {
  return CONDITIONS[name](query[name] as NonNullable<FinishedQuery[Name]>, parameters)
}

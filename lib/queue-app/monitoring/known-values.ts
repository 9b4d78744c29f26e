import type { ResultBackend } from '../../backend/result-backend.ts'
import type { KnownValues } from '../../backend/search/complete-search.ts'
import { KNOWN_VALUES_WITHIN_MS } from '../../time/budgets.ts'
import { withDeadline } from '../../time/deadline.ts'
import { MINUTE_MS } from '../../time/units.ts'
import type { Schedules } from '../../scheduler/schedules.ts'
import { createCached } from './cached.ts'
import type { TaskRegistry } from '../tasks/task-registry.ts'

export interface KnownValuesDependencies {
  readonly schedules: Pick<Schedules, 'list'>
  readonly registry: Pick<TaskRegistry, 'processes'>
  readonly backend: Pick<ResultBackend, 'failureGroups'>
  taskNames(): Promise<readonly string[]>
  now(): number
}

/** Maximum per kind; other values must be typed in full. */
const MAX_OFFERED = 1_000
/** The most recently seen groups. */
const MAX_GROUPS = 100
const FRESH_MS = 5_000
const RECENT_MS = MINUTE_MS

/** Possible values for search fields. Reads only the fields that occur in the search; what cannot be read is not offered. */
export function createKnownValues(
  { schedules, registry, backend, taskNames, now }: KnownValuesDependencies
): (search: string) => Promise<KnownValues> {
  const scheduleIds = cached(async () => (await schedules.list({ limit: MAX_OFFERED })).map(schedule => schedule.scheduleId))
  const workerIds = cached(async () => (await registry.processes()).slice(0, MAX_OFFERED).map(process => process.workerId))
  const errorGroups = cached(async () => (await backend.failureGroups({ limit: MAX_GROUPS })).groups.map(group => group.errorGroup))

  return async search => {
    const typed = search.toLowerCase()
    const of = (field: string, values: () => Promise<string[]>) => typed.includes(`${field}:`) ? values() : []
    const [tasks, ...rest] = await Promise.all([
      taskNames(), of('schedule', scheduleIds), of('worker', workerIds), of('group', errorGroups)
    ])
    return { taskNames: tasks, scheduleIds: rest[0], workerIds: rest[1], errorGroups: rest[2] }
  }

  function cached(load: () => Promise<string[]>): () => Promise<string[]> {
    const values = createCached({ freshMs: FRESH_MS, recentMs: RECENT_MS, now, load })
    return () => withDeadline(Promise.resolve(values.recent()), KNOWN_VALUES_WITHIN_MS, 'not read').catch(() => [])
  }
}

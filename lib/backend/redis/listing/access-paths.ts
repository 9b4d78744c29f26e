import type { RedisStore } from '../../../stores/store.ts'
import { fromStorable } from '../../entry/storable-text.ts'
import type { AccessPath } from '../../listing/access-path.ts'
import { type Filter, filtersOf, matchesFailuresOnly } from '../../listing/filter-names.ts'
import type { FinishedQuery } from '../../result-backend.ts'
import type { LedgerKeys } from '../schema.ts'
import { durationClassesWithin } from '../duration-class.ts'

/** Redis is blocked for some milliseconds while it merges this many. If there are more, the lists of all tasks are scanned instead. */
const MAX_LISTS_MERGED = 3_000
/** The list of a failure group is usually short. It is not worth comparing it with more lists than this. */
const MAX_LISTS_BESIDE_GROUP = 100

/** A path whose lists are keys of sorted sets. */
export type RedisPath = AccessPath<string>

/** The lists for each filter that has some. Words and workers have none and are found by scanning. */
export async function accessPathsFor(store: RedisStore, keys: LedgerKeys, query: FinishedQuery): Promise<RedisPath[]> {
  const { status, taskName, taskNames, scheduleId, errorGroup, minDurationMs, maxDurationMs } = query
  const statuses = status !== undefined ? [status] : matchesFailuresOnly(query) ? ['failed'] : ['success', 'failed', 'cancelled']
  const paths: RedisPath[] = []
  const add = (covers: Filter[], lists: string[]): void => { paths.push({ lists, covers: new Set(covers) }) }
  const isWanted = (name: string): boolean => taskNames === undefined || taskNames.includes(name)
  if (taskName !== undefined && !isWanted(taskName)) {
    add(filtersOf(query), [])
    return paths
  }

  if (errorGroup !== undefined) add(['errorGroup', 'status'], status !== undefined && status !== 'failed' ? [] : [keys.byGroup(errorGroup)])
  if (scheduleId !== undefined) {
    const tasks = taskName === undefined ? (await tasksOfSchedule(store, keys, scheduleId)).filter(isWanted) : [taskName]
    add(
      ['scheduleId', 'taskName', 'taskNames', 'status'],
      tasks.flatMap(task => statuses.map(each => keys.bySchedule(each, scheduleId, task)))
    )
  }
  const { classes, isExact } = durationClassesWithin(minDurationMs, maxDurationMs)
  const ofClasses = (keyOf: (status: string, durationClass: number) => string) =>
    statuses.flatMap(each => classes.map(durationClass => keyOf(each, durationClass)))
  const durations: Filter[] = isExact ? ['minDurationMs', 'maxDurationMs'] : []
  const tasks = taskName !== undefined ? [taskName] : taskNames
  const maxLists = errorGroup === undefined || taskName !== undefined ? MAX_LISTS_MERGED : MAX_LISTS_BESIDE_GROUP
  if (tasks === undefined || tasks.length * statuses.length * classes.length > maxLists)
    add(['status', ...durations], ofClasses(keys.byStatus))
  else
    add(
      ['taskName', 'taskNames', 'status', ...durations],
      tasks.flatMap(task => ofClasses((each, durationClass) => keys.byTask(each, durationClass, task)))
    )
  return paths
}

/** Usually just one. */
async function tasksOfSchedule(store: RedisStore, keys: LedgerKeys, scheduleId: string): Promise<string[]> {
  return (await store.client.smembers(keys.scheduleTasks(scheduleId))).map(fromStorable)
}

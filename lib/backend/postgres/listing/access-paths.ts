import type { SqlStore } from '../../../stores/store.ts'
import type { FinishedStatus } from '../../../execution.ts'
import { toStorable } from '../../entry/storable-text.ts'
import type { AccessPath } from '../../listing/access-path.ts'
import { type Filter, filtersOf } from '../../listing/filter-names.ts'
import type { FinishedQuery } from '../../result-backend.ts'
import { FAILED_ALONE, TOOK_CLASS, TOOK_LONG, tookClasses } from '../index-columns.ts'
import type { LedgerTables } from '../schema.ts'

/** A path whose lists all come from one index. */
export type SqlPath = AccessPath<IndexedRows>

/** Conditions that fix every leading column of an index, so that its rows come in finish order. `?` marks a value. */
export interface IndexedRows {
  readonly conditions: readonly Condition[]
  /** Merges the rows of each of these tasks. */
  readonly eachTask?: readonly string[]
}

type Condition = readonly [condition: string, ...values: unknown[]]

const EACH_STATUS: readonly FinishedStatus[] = ['success', 'failed', 'cancelled']
const CANCELLED = 'failed IS NULL'

/** One path per index that serves a filter; the plain finish-order path comes last. */
export async function accessPathsFor(store: SqlStore, tables: LedgerTables, query: FinishedQuery): Promise<SqlPath[]> {
  const { taskName, taskNames, scheduleId, workerId, errorGroup, minDurationMs, maxDurationMs } = query
  const statuses = query.status ? [query.status] : EACH_STATUS
  const byStatus = (...filter: Condition[]): IndexedRows[] => statuses.map(status =>
    ({ conditions: [...filter, status === 'cancelled' ? [CANCELLED] : ['failed = ?::boolean', status === 'failed']] }))
  const paths: SqlPath[] = []
  const add = (covers: Filter[], lists: readonly IndexedRows[]): void => {
    paths.push({ lists, covers: new Set([...covers, 'taskNames']) })
  }
  if (taskNames !== undefined && taskName !== undefined && !taskNames.includes(taskName)) {
    add(filtersOf(query), [])
    return paths
  }
  // Rows of other tasks are skipped while the index is read, so no position or count reveals them.
  const stored = taskName === undefined ? taskNames?.map(toStorable) : undefined
  const ofTasks: Condition[] = stored === undefined ? [] : [['task_name = ANY(?::text[])', stored]]

  if (scheduleId !== undefined) {
    const schedule = toStorable(scheduleId)
    const ran = taskName === undefined ? await tasksOfSchedule(store, tables, schedule) : [toStorable(taskName)]
    const tasks = stored === undefined ? ran : ran.filter(task => stored.includes(task))
    add(
      ['status', 'scheduleId', 'taskName'],
      tasks.flatMap(task => byStatus(['schedule_id = ?::text', schedule], ['task_name = ?::text', task]))
    )
  } else if (taskName !== undefined) add(['status', 'taskName'], byStatus(['task_name = ?::text', toStorable(taskName)]))
  if (workerId !== undefined) add(['status', 'workerId'], byStatus(['worker_id = ?::text', toStorable(workerId)], ...ofTasks))
  if (errorGroup !== undefined) add(['status', 'errorGroup'], byStatus(['error_group = ?::text', toStorable(errorGroup)], ...ofTasks))
  const took = tookClasses(minDurationMs, maxDurationMs)
  if (took !== null)
    add(
      took.isExact ? ['minDurationMs', 'maxDurationMs'] : [],
      took.classes.map(number => ({ conditions: [[TOOK_LONG], [`${TOOK_CLASS} = ?::integer`, number], ...ofTasks] }))
    )
  if (stored !== undefined) add(['status'], byStatus().map(list => ({ ...list, eachTask: stored })))
  else
    add(['status'], statuses.map(status =>
      ({ conditions: [status === 'cancelled' ? [CANCELLED] : [`${FAILED_ALONE} = ?::integer`, Number(status === 'failed')]] })))
  return paths
}

/** Usually just one. Skips through the index from name to name. */
async function tasksOfSchedule(store: SqlStore, tables: LedgerTables, scheduleId: string): Promise<string[]> {
  const { rows } = await store.query<{ task_name: string }>(
    `WITH RECURSIVE names AS (
       (SELECT task_name FROM ${tables.executions} WHERE schedule_id = $1 ORDER BY task_name LIMIT 1)
       UNION ALL
       SELECT (SELECT task_name FROM ${tables.executions} WHERE schedule_id = $1 AND task_name > names.task_name ORDER BY task_name LIMIT 1)
       FROM names WHERE names.task_name IS NOT NULL
     )
     SELECT task_name FROM names WHERE task_name IS NOT NULL`,
    [scheduleId]
  )
  return rows.map(row => row.task_name)
}

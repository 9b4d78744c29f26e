import type { SqlStore } from '../../../stores/store.ts'
import type { FinishedStatus } from '../../../execution.ts'
import { toStorable } from '../../entry/storable-text.ts'
import type { AccessPath } from '../../listing/access-path.ts'
import type { Filter } from '../../listing/filters.ts'
import type { FinishedQuery } from '../../result-backend.ts'
import { FAILED_ALONE, TOOK_CLASS, TOOK_LONG, tookClasses } from '../index-columns.ts'
import type { LedgerTables } from '../schema.ts'

/** A path whose lists all come from one index. */
export type SqlPath = AccessPath<IndexedRows>

/** Conditions that fix every leading column of an index, so that its rows come in finish order. `?` marks a value. */
export type IndexedRows = ReadonlyArray<readonly [condition: string, ...values: unknown[]]>

const EACH_STATUS: readonly FinishedStatus[] = ['success', 'failed', 'cancelled']
const CANCELLED = 'failed IS NULL'

/** One path per index that serves a filter; the plain finish-order path comes last. */
export async function accessPathsFor(store: SqlStore, tables: LedgerTables, query: FinishedQuery): Promise<SqlPath[]> {
  const { taskName, scheduleId, workerId, errorGroup, minDurationMs, maxDurationMs } = query
  const statuses = query.status ? [query.status] : EACH_STATUS
  const byStatus = (...filter: IndexedRows): IndexedRows[] => statuses.map(status =>
    [...filter, status === 'cancelled' ? [CANCELLED] : ['failed = ?::boolean', status === 'failed']])
  const paths: SqlPath[] = []
  const add = (covers: Filter[], lists: IndexedRows[]): void => { paths.push({ lists, covers: new Set(covers) }) }

  if (scheduleId !== undefined) {
    const schedule = toStorable(scheduleId)
    const tasks = taskName === undefined ? await tasksOfSchedule(store, tables, schedule) : [toStorable(taskName)]
    add(
      ['status', 'scheduleId', 'taskName'],
      tasks.flatMap(task => byStatus(['schedule_id = ?::text', schedule], ['task_name = ?::text', task]))
    )
  } else if (taskName !== undefined) add(['status', 'taskName'], byStatus(['task_name = ?::text', toStorable(taskName)]))
  if (workerId !== undefined) add(['status', 'workerId'], byStatus(['worker_id = ?::text', toStorable(workerId)]))
  if (errorGroup !== undefined) add(['status', 'errorGroup'], byStatus(['error_group = ?::text', toStorable(errorGroup)]))
  const took = tookClasses(minDurationMs, maxDurationMs)
  if (took !== null)
    add(
      took.isExact ? ['minDurationMs', 'maxDurationMs'] : [],
      took.classes.map(number => [[TOOK_LONG], [`${TOOK_CLASS} = ?::integer`, number]])
    )
  add(['status'], statuses.map(status =>
    [status === 'cancelled' ? [CANCELLED] : [`${FAILED_ALONE} = ?::integer`, Number(status === 'failed')]]))
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

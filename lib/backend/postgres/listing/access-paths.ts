import type { SqlStore } from '../../../stores/store.ts'
import type { FinishedPosition, FinishedQuery } from '../../result-backend.ts'
import { toStorable } from '../../entry/storable-text.ts'
import { FAILED_ALONE, TOOK_CLASS, TOOK_LONG, tookClasses } from '../index-columns.ts'
import type { LedgerTables } from '../schema.ts'

/**
 * A way to read executions in order of their finish: scans of one index, each with all of its leading columns fixed, merged.
 * `covers` names the filters that need no further look.
 */
export interface Drive {
  readonly scans: readonly Scan[]
  readonly covers: ReadonlySet<Filter>
}

export type Filter = 'status' | 'taskName' | 'scheduleId' | 'workerId' | 'errorGroup' | 'minDurationMs' | 'maxDurationMs' | 'text'

/** Conditions with `?` in place of their values. */
export type Scan = ReadonlyArray<readonly [condition: string, ...values: unknown[]]>

/** Every index that serves one of the filters; the one by finish alone comes last. */
export async function drivesOf(store: SqlStore, tables: LedgerTables, query: FinishedQuery): Promise<Drive[]> {
  const { taskName, scheduleId, workerId, errorGroup, minDurationMs, maxDurationMs } = query
  const statuses = query.status ? [query.status === 'failed'] : [false, true]
  const byStatus = (...filter: Scan): Scan[] => statuses.map(failed => [...filter, ['failed = ?::boolean', failed]])
  const drives: Drive[] = []
  const add = (covers: Filter[], scans: Scan[]): void => { drives.push({ scans, covers: new Set(covers) }) }

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
      took.exact ? ['minDurationMs', 'maxDurationMs'] : [],
      took.classes.map(number => [[TOOK_LONG], [`${TOOK_CLASS} = ?::integer`, number]])
    )
  add(['status'], statuses.map(failed => [[`${FAILED_ALONE} = ?::integer`, Number(failed)]]))
  return drives
}

/** In practice one. Jumps from name to name in the index. */
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

export interface Parameters {
  readonly values: unknown[]
  /** Its place in the statement. */
  add(value: unknown): string
}

export function createParameters(): Parameters {
  const values: unknown[] = []
  return { values, add: value => `$${values.push(value)}` }
}

export interface Range extends Pick<FinishedQuery, 'from' | 'to' | 'order'> { readonly after?: FinishedPosition | undefined }

/** SQL for the first rows of a drive, in order. */
export function firstOf(
  tables: LedgerTables, drive: Drive, range: Range, { columns, limit }: { readonly columns: string; readonly limit: number },
  parameters: Parameters
): string {
  const direction = range.order === 'newest' ? 'DESC' : 'ASC'
  const bound = parameters.add(limit)
  const shared = rangeConditions(range, parameters)
  const parts = drive.scans.map(scan => {
    const conditions = [
      ...scan.map(([condition, ...values]) =>
        values.reduce<string>((text, value) => text.replace('?', () => parameters.add(value)), condition)),
      ...shared
    ]
    return `(SELECT ${columns} FROM ${tables.executions} WHERE ${conditions.join(' AND ')} ORDER BY finished_at ${direction}, ` +
      `execution_id ${direction} LIMIT ${bound})`
  })
  if (parts.length === 1) return parts[0]!
  return `(SELECT * FROM (${parts.join(' UNION ALL ')}) AS merged ORDER BY finished_at ${direction}, execution_id ` +
    `${direction} LIMIT ${bound})`
}

export function rangeConditions({ from, to, order, after }: Range, parameters: Parameters): string[] {
  const conditions: string[] = []
  if (from !== undefined) conditions.push(`finished_at >= ${parameters.add(from)}::bigint`)
  if (to !== undefined) conditions.push(`finished_at < ${parameters.add(to)}::bigint`)
  if (after !== undefined) {
    conditions.push(
      `(finished_at, execution_id) ${order === 'newest' ? '<' : '>'} (${parameters.add(after.finishedAt)}::bigint, ` +
        `${parameters.add(toStorable(after.executionId))}::text COLLATE "C")`
    )
  }
  return conditions
}

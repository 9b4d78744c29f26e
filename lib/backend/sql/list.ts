import type { SqlStore } from '../../stores/store.ts'
import type { FinishedPage, FinishedQuery } from '../result-backend.ts'
import { toStorable } from '../storable-text.ts'
import { ITEM_COLUMNS, type ItemRow, itemFromRow } from './item.ts'
import type { LedgerTables } from './schema.ts'

/** Counting stops here: beyond it the number tells little and costs a lot. */
const COUNTED_AT_MOST = 10_000

/** Rows of any filter come from one index, a scan a status (and task of a schedule), merged by finish. */
export async function listFinished(store: SqlStore, tables: LedgerTables, query: FinishedQuery): Promise<FinishedPage> {
  const scans = await scansOf(store, tables, query)
  if (scans.length === 0) return { executions: [], next: null, total: { value: 0, relation: 'exact' }, scanned: null, complete: true }
  const [rows, total] = await Promise.all([
    readRows(store, tables, scans, query),
    countRows(store, tables, scans, query)
  ])
  const executions = rows.slice(0, query.limit).map(itemFromRow)
  return { executions, next: rows.length > query.limit ? executions.at(-1)! : null, total, scanned: null, complete: true }
}

/** The leading columns of an index, all of them fixed. */
interface Scan { readonly failed: boolean; readonly taskName?: string; readonly scheduleId?: string }

async function scansOf(store: SqlStore, tables: LedgerTables, { status, taskName, scheduleId }: FinishedQuery): Promise<Scan[]> {
  const statuses = status ? [status === 'failed'] : [false, true]
  if (scheduleId !== undefined) {
    const schedule = toStorable(scheduleId)
    const taskNames = taskName === undefined ? await tasksOfSchedule(store, tables, schedule) : [toStorable(taskName)]
    return taskNames.flatMap(name => statuses.map(failed => ({ failed, taskName: name, scheduleId: schedule })))
  }
  return statuses.map(failed => taskName === undefined ? { failed } : { failed, taskName: toStorable(taskName) })
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

async function readRows(store: SqlStore, tables: LedgerTables, scans: readonly Scan[], { order, limit, after, ...query }: FinishedQuery): Promise<ItemRow[]> {
  const columns = Object.keys(ITEM_COLUMNS).join(', ')
  const direction = order === 'newest' ? 'DESC' : 'ASC'
  const parameters: unknown[] = []
  const parameter = (value: unknown): string => `$${parameters.push(value)}`
  const bound = parameter(limit + 1)
  const position = after && `(finished_at, execution_id) ${order === 'newest' ? '<' : '>'} (${parameter(after.finishedAt)}::bigint, ${parameter(toStorable(after.executionId))}::text COLLATE "C")`
  const parts = scans.map(scan => {
    const conditions = conditionsOf(scan, query, parameter)
    if (position) conditions.push(position)
    return `(SELECT ${columns} FROM ${tables.executions} WHERE ${conditions.join(' AND ')} ORDER BY finished_at ${direction}, execution_id ${direction} LIMIT ${bound})`
  })
  const { rows } = await store.query<ItemRow>(
    `SELECT * FROM (${parts.join(' UNION ALL ')}) AS merged ORDER BY finished_at ${direction}, execution_id ${direction} LIMIT ${bound}`,
    parameters
  )
  return rows
}

async function countRows(store: SqlStore, tables: LedgerTables, scans: readonly Scan[], query: Pick<FinishedQuery, 'from' | 'to'>): Promise<FinishedPage['total']> {
  const parameters: unknown[] = []
  const parameter = (value: unknown): string => `$${parameters.push(value)}`
  const bound = parameter(COUNTED_AT_MOST + 1)
  // The order keeps a planner without statistics from reading the whole table for a rare status.
  const parts = scans.map(scan => `(SELECT 1 FROM ${tables.executions} WHERE ${conditionsOf(scan, query, parameter).join(' AND ')} ORDER BY finished_at, execution_id LIMIT ${bound})`)
  const { rows } = await store.query<{ counted: string | number }>(
    `SELECT count(*) AS counted FROM (SELECT 1 FROM (${parts.join(' UNION ALL ')}) AS found LIMIT ${bound}) AS capped`,
    parameters
  )
  const counted = Number(rows[0]!.counted)
  return counted > COUNTED_AT_MOST ? { value: COUNTED_AT_MOST, relation: 'at_least' } : { value: counted, relation: 'exact' }
}

function conditionsOf(scan: Scan, { from, to }: Pick<FinishedQuery, 'from' | 'to'>, parameter: (value: unknown) => string): string[] {
  const conditions = [`failed = ${parameter(scan.failed)}::boolean`]
  if (scan.taskName !== undefined) conditions.push(`task_name = ${parameter(scan.taskName)}::text`)
  if (scan.scheduleId !== undefined) conditions.push(`schedule_id = ${parameter(scan.scheduleId)}::text`)
  if (from !== undefined) conditions.push(`finished_at >= ${parameter(from)}::bigint`)
  if (to !== undefined) conditions.push(`finished_at < ${parameter(to)}::bigint`)
  return conditions
}

import type { SqlStore } from '../../../stores/store.ts'
import type { FinishedStatus } from '../../../execution.ts'
import { toStorable } from '../../entry/storable-text.ts'
import type { ChosenPath } from '../../listing/access-path.ts'
import { filtersOf } from '../../listing/filter-names.ts'
import type { FinishedPage, FinishedQuery } from '../../result-backend.ts'
import type { IndexedRows, SqlPath } from '../listing/access-paths.ts'
import { conditionOn } from '../listing/filters.ts'
import { anyRows, firstRows } from '../listing/first-rows.ts'
import { createParameters } from '../parameters.ts'
import type { LedgerTables } from '../schema.ts'

type Total = FinishedPage['total']

/** Counting stops here: higher numbers say little more and cost a lot. */
const MAX_COUNTED = 1_000

/** Exact, from the counters; null when they do not cover the query. */
export function countFromCounters(store: SqlStore, tables: LedgerTables, query: FinishedQuery): Promise<Total> | null {
  if (query.from !== undefined || query.to !== undefined) return null
  const filters = filtersOf(query).filter(filter => filter !== 'status')
  if (filters.length === 0) return read('overall', [''])
  if (filters.length > 1) return null
  if (query.taskName !== undefined) return read('task', [query.taskName])
  if (query.taskNames !== undefined) return read('task', query.taskNames)
  return query.scheduleId === undefined ? null : read('schedule', [query.scheduleId])

  async function read(scope: 'overall' | 'task' | 'schedule', names: readonly string[]): Promise<Total> {
    const column = { overall: null, task: 'task_name', schedule: 'schedule_id' }[scope]
    // Few are cancelled, so they are counted instead of having counters.
    const cancelled = `SELECT FROM ${tables.executions} WHERE failed IS NULL${column === null ? '' : ` AND ${column} = ANY($2::text[])`}`
    const { rows } = await store.query<Record<'kept_success' | 'kept_failed' | 'kept_cancelled', string | number | null>>(
      `SELECT sum(kept_success) AS kept_success, sum(kept_failed) AS kept_failed,
         (SELECT count(*) FROM (${cancelled} LIMIT ${MAX_COUNTED + 1}) AS capped) AS kept_cancelled
       FROM ${tables.totals} WHERE scope = $1 AND name = ANY($2::text[])`,
      [scope, names.map(toStorable)]
    )
    const countOf = (status: FinishedStatus) =>
      query.status === undefined || query.status === status ? Number(rows[0]?.[`kept_${status}`] ?? 0) : 0
    const cancellations = countOf('cancelled')
    const value = countOf('success') + countOf('failed') + Math.min(cancellations, MAX_COUNTED)
    return { value, relation: cancellations > MAX_COUNTED ? 'at_least' : 'exact' }
  }
}

/** Counts the rows of a path within the time range, independent of the page. */
export async function countPath(store: SqlStore, tables: LedgerTables, path: SqlPath, { from, to }: FinishedQuery): Promise<Total> {
  const parameters = createParameters()
  const range = { order: 'oldest', ...(from !== undefined && { from }), ...(to !== undefined && { to }) } as const
  const counted = mergesTasks(path) ? anyRows : firstRows
  const { rows } = await store.query<{ counted: number }>(
    'SELECT count(*)::integer AS counted FROM ' +
      `${counted(tables, path, range, { columns: 'finished_at, execution_id', limit: MAX_COUNTED + 1 }, parameters)} AS capped`,
    parameters.values
  )
  const value = rows[0]!.counted
  return value > MAX_COUNTED ? { value: MAX_COUNTED, relation: 'at_least' } : { value, relation: 'exact' }
}

/** Counts matches among the first rows of a path, in the requested order. Exact if the path ends there. */
export async function countMatches(
  store: SqlStore, tables: LedgerTables, { path, remaining }: ChosenPath<IndexedRows>, query: FinishedQuery
): Promise<Total> {
  if (path.lists.length === 0) return { value: 0, relation: 'exact' }
  const parameters = createParameters()
  const condition = remaining.map(filter => conditionOn(filter, query, parameters)).join(' AND ')
  const first = (mergesTasks(path) ? anyRows : firstRows)(
    tables, path, { ...query, after: undefined },
    { columns: `finished_at, execution_id, (${condition}) AS matches`, limit: MAX_COUNTED + 1 }, parameters
  )
  const { rows } = await store.query<{ matching: number; looked_at: number }>(
    `SELECT (count(*) FILTER (WHERE matches))::integer AS matching, count(*)::integer AS looked_at FROM ${first} AS capped`,
    parameters.values
  )
  const { matching, looked_at: lookedAt } = rows[0]!
  return { value: matching, relation: lookedAt > MAX_COUNTED ? 'at_least' : 'exact' }
}

function mergesTasks({ lists }: SqlPath): boolean {
  return lists.some(({ eachTask }) => eachTask !== undefined)
}

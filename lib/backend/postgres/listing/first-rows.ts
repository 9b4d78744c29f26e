import { toStorable } from '../../entry/storable-text.ts'
import type { FinishedPosition, FinishedQuery } from '../../result-backend.ts'
import type { Parameters } from '../parameters.ts'
import type { LedgerTables } from '../schema.ts'
import type { IndexedRows, SqlPath } from './access-paths.ts'

export interface Range extends Pick<FinishedQuery, 'from' | 'to' | 'order'> { readonly after?: FinishedPosition | undefined }

/** SQL for the first rows of a path, merged from all its lists in order. */
export function firstRows(
  tables: LedgerTables, path: SqlPath, range: Range, { columns, limit }: { readonly columns: string; readonly limit: number },
  parameters: Parameters
): string {
  const direction = range.order === 'newest' ? 'DESC' : 'ASC'
  const bound = parameters.add(limit)
  const order = `ORDER BY finished_at ${direction}, execution_id ${direction}`
  const end = `${order} LIMIT ${bound}`
  const shared = rangeConditions(range, parameters)
  const parts = path.lists.map(({ conditions, eachTask }) => {
    const all = [...conditions.map(condition => toSql(condition, parameters)), ...shared]
    const rows = (ofTask: readonly string[]) =>
      `(SELECT * FROM (SELECT ${columns} FROM ${tables.executions} WHERE ${[...ofTask, ...all].join(' AND ')} ` +
        `${order} LIMIT ${hidden(bound)}) AS in_order ${end})`
    if (eachTask === undefined) return rows([])
    return `(SELECT of_task.* FROM unnest(${parameters.add(eachTask)}::text[]) AS each_task(wanted) ` +
      `CROSS JOIN LATERAL ${rows(['task_name = wanted COLLATE "C"'])} AS of_task ${end})`
  })
  if (parts.length === 1) return parts[0]!
  return `(SELECT * FROM (${parts.join(' UNION ALL ')}) AS merged ${end})`
}

/**
 * Hides a limit from the planner. The planner then assumes a tenth of the expected rows, so it reads them in index order. If it saw a
 * number, it would collect and sort all rows wherever it expects fewer than that. Such estimates are wrong in a history that has grown
 * since the last ANALYZE, and in the embedded store until its first one. But if all limits were hidden, it would expect so much work that
 * it would compile the query.
 */
function hidden(limit: string): string {
  return `(SELECT ${limit}::integer)`
}

/** Some rows of a path, in no particular order. This is cheaper than reading the first ones if many tasks are merged. */
export function anyRows(
  tables: LedgerTables, path: SqlPath, range: Pick<FinishedQuery, 'from' | 'to'>,
  { columns, limit }: { readonly columns: string; readonly limit: number }, parameters: Parameters
): string {
  const bound = parameters.add(limit)
  const shared = rangeConditions({ ...range, order: 'oldest' }, parameters)
  const parts = path.lists.map(({ conditions, eachTask }) => {
    const all = [
      ...eachTask === undefined ? [] : [`task_name = ANY(${parameters.add(eachTask)}::text[])`],
      ...conditions.map(condition => toSql(condition, parameters)), ...shared
    ]
    return `(SELECT ${columns} FROM ${tables.executions} WHERE ${all.join(' AND ')} LIMIT ${bound})`
  })
  return `(SELECT * FROM (${parts.join(' UNION ALL ')}) AS found LIMIT ${bound})`
}

function toSql([condition, ...values]: IndexedRows['conditions'][number], parameters: Parameters): string {
  return values.reduce<string>((text, value) => text.replace('?', () => parameters.add(value)), condition)
}

/** Sorts before every id. */
const BEFORE_ALL = ''

export function rangeConditions({ from, to, order, after }: Range, parameters: Parameters): string[] {
  const conditions: string[] = []
  if (from !== undefined) conditions.push(`finished_at >= ${parameters.add(from)}::bigint`)
  if (to !== undefined) conditions.push(`finished_at < ${parameters.add(to)}::bigint`)
  if (after !== undefined) {
    conditions.push(
      `(finished_at, execution_id) ${order === 'newest' ? '<' : '>'} (${parameters.add(after.finishedAt)}::bigint, ` +
        `${parameters.add(toStorable(after.executionId ?? BEFORE_ALL))}::text COLLATE "C")`
    )
  }
  return conditions
}

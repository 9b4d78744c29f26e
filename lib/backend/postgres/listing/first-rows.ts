import { toStorable } from '../../entry/storable-text.ts'
import type { FinishedPosition, FinishedQuery } from '../../result-backend.ts'
import type { Parameters } from '../parameters.ts'
import type { LedgerTables } from '../schema.ts'
import type { SqlPath } from './access-paths.ts'

export interface Range extends Pick<FinishedQuery, 'from' | 'to' | 'order'> { readonly after?: FinishedPosition | undefined }

/** SQL for the first rows of a path, merged from all its lists in order. */
export function firstRows(
  tables: LedgerTables, path: SqlPath, range: Range, { columns, limit }: { readonly columns: string; readonly limit: number },
  parameters: Parameters
): string {
  const direction = range.order === 'newest' ? 'DESC' : 'ASC'
  const bound = parameters.add(limit)
  const shared = rangeConditions(range, parameters)
  const parts = path.lists.map(list => {
    const conditions = [
      ...list.map(([condition, ...values]) =>
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

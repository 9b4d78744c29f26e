import type { SqlStore } from '../../../stores/store.ts'
import { fromStorable, toStorable } from '../../entry/storable-text.ts'
import type { LedgerTables } from '../schema.ts'
import { lockPruning, REMOVED_COLUMNS, type RemovedRow, removeExecutions } from './remove-executions.ts'

const TRANSACTION_MS = 8_000

export function deleteExecutions(store: SqlStore, tables: LedgerTables, executionIds: readonly string[]): Promise<string[]> {
  return store.transaction(async query => {
    await lockPruning(query, store)
    const { rows } = await query<RemovedRow & { remembered_at: string | number }>(
      `SELECT ${REMOVED_COLUMNS}, greatest(finished_at, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint) AS remembered_at
       FROM ${tables.executions} WHERE execution_id = ANY($1::text[])`, [executionIds.map(toStorable)]
    )
    if (rows.length === 0) return []
    await removeExecutions(query, tables, rows, rows.map(row => ({ execution_id: row.execution_id, finished_at: row.remembered_at })))
    return rows.map(row => fromStorable(row.execution_id))
  }, { timeoutMs: TRANSACTION_MS })
}

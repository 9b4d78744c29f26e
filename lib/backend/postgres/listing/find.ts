import type { FinishedExecution } from '../../../execution.ts'
import type { SqlStore } from '../../../stores/store.ts'
import { isKey, NO_PAYLOAD, toFinishedExecution } from '../../entry/ledger-entry.ts'
import { fromStorable, toStorable } from '../../entry/storable-text.ts'
import { readAttempts } from '../recording/attempts.ts'
import { type ItemRow, itemFromRow } from '../item.ts'
import type { LedgerTables } from '../schema.ts'

export async function findExecution(store: SqlStore, tables: LedgerTables, executionId: string): Promise<FinishedExecution | null> {
  const { rows } = await store.query<ItemRow & { payload: string | null }>(
    `SELECT * FROM ${tables.executions} LEFT JOIN ${tables.payloads} USING (execution_id) WHERE execution_id = $1`,
    [toStorable(executionId)]
  )
  const row = rows[0]
  return row === undefined ? null : toFinishedExecution(itemFromRow(row), row.payload, await readAttempts(store, tables, executionId))
}

/** See `ResultBackend.findMany`. */
export async function findExecutions(
  store: SqlStore, tables: LedgerTables, executionIds: readonly string[], { payloads: isWhole = true } = {}
): Promise<FinishedExecution[]> {
  const ids = executionIds.filter(isKey)
  if (ids.length === 0) return []
  const { rows } = await store.query<ItemRow & { payload: string | null }>(
    `SELECT * FROM ${tables.executions} ${isWhole ? `LEFT JOIN ${tables.payloads} USING (execution_id)` : ''}
      WHERE execution_id = ANY($1::text[])`,
    [ids.map(toStorable)]
  )
  return rows.map(row => toFinishedExecution(itemFromRow(row), isWhole ? row.payload : NO_PAYLOAD, []))
}

/** Ids that the history does not accept do not count as missing: no one should try to record them again. */
export async function missingOf(store: SqlStore, tables: LedgerTables, executionIds: readonly string[]): Promise<string[]> {
  const recordable = executionIds.filter(isKey)
  if (recordable.length === 0) return []
  const { rows } = await store.query<{ execution_id: string }>(
    `SELECT execution_id FROM ${tables.executions} WHERE execution_id = ANY($1::text[])
     UNION ALL SELECT execution_id FROM ${tables.pruned} WHERE execution_id = ANY($1::text[])`, [recordable.map(toStorable)]
  )
  const found = new Set(rows.map(row => fromStorable(row.execution_id)))
  return recordable.filter(id => !found.has(id))
}

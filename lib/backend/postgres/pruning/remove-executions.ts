import type { SqlStore } from '../../../stores/store.ts'
import type { LedgerTables } from '../schema.ts'

type Query = SqlStore['query']

export interface RemovedRow {
  execution_id: string
  finished_at: string | number
  failed: boolean | null
  task_name: string
  schedule_id: string | null
}

export const REMOVED_COLUMNS = 'execution_id, finished_at, failed, task_name, schedule_id'

/**
 * Prevents other processes from removing executions until the transaction ends. Two processes that both see the same excess would remove
 * twice as many, and two that remove the same row would count it twice.
 */
export async function lockPruning(query: Query, store: SqlStore): Promise<void> {
  await query('SELECT pg_advisory_xact_lock(hashtext($1))', [`${store.schema}:prune`])
}

/**
 * Removes existing rows from everything except all-time counters.
 * @param remembered the rows whose ids must not be recorded again; the finish time decides how long that applies
 */
export async function removeExecutions(
  query: Query, tables: LedgerTables, rows: readonly RemovedRow[],
  remembered: ReadonlyArray<Pick<RemovedRow, 'execution_id' | 'finished_at'>>
): Promise<void> {
  const ids = rows.map(row => row.execution_id)
  if (remembered.length > 0) {
    await query(`INSERT INTO ${tables.pruned} (execution_id, finished_at) SELECT * FROM unnest($1::text[], ` +
      '$2::bigint[]) ON CONFLICT DO NOTHING',
    [remembered.map(row => row.execution_id), remembered.map(row => row.finished_at)])
  }
  for (const table of [tables.payloads, tables.attempts, tables.executions])
    await query(`DELETE FROM ${table} WHERE execution_id = ANY($1::text[])`, [ids])

  const kept = new Map<string, { scope: string; name: string; success: number; failed: number }>()
  const subtract = (scope: string, name: string, column: 'success' | 'failed'): void => {
    const key = `${scope} ${name}`
    const counts = kept.get(key) ?? { scope, name, success: 0, failed: 0 }
    counts[column]++
    kept.set(key, counts)
  }
  for (const { failed, task_name: taskName, schedule_id: scheduleId } of rows) {
    // Cancelled ones have no counters.
    if (failed === null) continue
    const column = failed ? 'failed' : 'success'
    subtract('overall', '', column)
    subtract('task', taskName, column)
    if (scheduleId !== null) subtract('schedule', scheduleId, column)
  }
  // One statement per row, in the order in which writers lock them.
  for (const [, { scope, name, success, failed }] of [...kept].sort(([a], [b]) => a < b ? -1 : 1)) {
    await query(
      `UPDATE ${tables.totals} SET kept_success = kept_success - $3, kept_failed = kept_failed - $4 WHERE scope = $1 AND name = $2`,
      [scope, name, success, failed]
    )
  }
}

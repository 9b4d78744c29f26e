import type { SqlStore } from '../../../stores/store.ts'
import type { PruneBounds, PruneStep, RetentionLimits, RetentionPolicy } from '../../result-backend.ts'
import { FAILED_ALONE } from '../index-columns.ts'
import { dropLeftovers, wholeMs } from './leftovers.ts'
import type { LedgerTables } from '../schema.ts'

const ROWS_PER_TRANSACTION = 500
const TRANSACTION_MS = 5_000
/** Leaves time for other writers; the whole call ends within 9.5 s. */
const PRUNING_MS = 5_000

export async function prune(store: SqlStore, tables: LedgerTables, policy: RetentionPolicy, bounds: PruneBounds): Promise<PruneStep> {
  const deadline = performance.now() + PRUNING_MS
  let left = bounds.limit
  let more = false
  for (const failed of [false, true, null]) {
    const limits = failed ? policy.failed : policy.success
    for (;;) {
      const { removed, isDone } = await removeOldest(store, tables, failed, limits, bounds, Math.min(left, ROWS_PER_TRANSACTION))
      left -= removed
      if (isDone) break
      if (left === 0 || performance.now() > deadline) { more = true; break }
    }
  }
  const isAllDropped = await dropLeftovers(store, tables, policy, bounds)
  return { removed: bounds.limit - left, more: more || !isAllDropped }
}

interface RemovedRow { execution_id: string; finished_at: string | number; task_name: string; schedule_id: string | null }

/** One at a time across all processes: two that both see the same excess would remove twice as many. */
async function removeOldest(
  store: SqlStore, tables: LedgerTables, failed: boolean | null, { maxAgeMs, maxCount }: RetentionLimits, bounds: PruneBounds, limit: number
): Promise<{ removed: number; isDone: boolean }> {
  const { nowMs, keepAfterMs, brokerHasAfterMs } = bounds
  return await store.transaction(async query => {
    await query('SELECT pg_advisory_xact_lock(hashtext($1))', [`${store.schema}:prune`])
    const { rows: [counters] } = await query<{ kept: string | number }>(
      failed === null
        ? `SELECT count(*) AS kept FROM ${tables.executions} WHERE failed IS NULL`
        : `SELECT ${keptColumn(failed)} AS kept FROM ${tables.totals} WHERE scope = 'overall' AND name = ''`
    )
    const overCount = Math.max(0, Number(counters?.kept ?? 0) - maxCount)
    const { rows } = await query<RemovedRow & { over_age: boolean }>(
      `SELECT execution_id, finished_at, task_name, schedule_id, finished_at < $2::bigint AS over_age FROM ${tables.executions}
       WHERE ${failed === null ? 'failed IS NULL AND $1::integer IS NULL' : `${FAILED_ALONE} = $1::integer`}
         AND finished_at <= $3::bigint ORDER BY finished_at, execution_id LIMIT $4`,
      [failed === null ? null : Number(failed), wholeMs(nowMs - maxAgeMs), wholeMs(keepAfterMs), limit + 1]
    )
    // Expired rows are the oldest, so they come first in the excess by count too.
    const over = rows.filter((row, i) => row.over_age || i < overCount)
    const removed = over.slice(0, limit)
    if (removed.length > 0) await remove(query, tables, failed, removed, brokerHasAfterMs)
    return { removed: removed.length, isDone: over.length === removed.length }
  }, { timeoutMs: TRANSACTION_MS })
}

async function remove(
  query: SqlStore['query'], tables: LedgerTables, failed: boolean | null, rows: readonly RemovedRow[], brokerHasAfterMs: number
): Promise<void> {
  const ids = rows.map(row => row.execution_id)
  const remembered = rows.filter(row => Number(row.finished_at) > brokerHasAfterMs)
  if (remembered.length > 0) {
    await query(`INSERT INTO ${tables.pruned} (execution_id, finished_at) SELECT * FROM unnest($1::text[], ` +
      '$2::bigint[]) ON CONFLICT DO NOTHING',
    [remembered.map(row => row.execution_id), remembered.map(row => row.finished_at)])
  }
  for (const table of [tables.payloads, tables.attempts, tables.executions])
    await query(`DELETE FROM ${table} WHERE execution_id = ANY($1::text[])`, [ids])

  await query(`UPDATE ${tables.ledger} SET pruned_before = greatest(pruned_before, $1::bigint)`, [rows.at(-1)!.finished_at])
  // Cancelled ones have no counters.
  if (failed === null) return
  const kept = new Map<string, { scope: string; name: string; count: number }>()
  const subtract = (scope: string, name: string): void => {
    const key = `${scope} ${name}`
    kept.set(key, { scope, name, count: (kept.get(key)?.count ?? 0) + 1 })
  }
  for (const row of rows) {
    subtract('overall', '')
    subtract('task', row.task_name)
    if (row.schedule_id !== null) subtract('schedule', row.schedule_id)
  }
  // One statement per row, in the order in which writers lock them.
  for (const [, { scope, name, count }] of [...kept].sort(([a], [b]) => a < b ? -1 : 1)) {
    await query(
      `UPDATE ${tables.totals} SET ${keptColumn(failed)} = ${keptColumn(failed)} - $3 WHERE scope = $1 AND name = $2`, [scope, name, count]
    )
  }
}

function keptColumn(failed: boolean): string {
  return failed ? 'kept_failed' : 'kept_success'
}

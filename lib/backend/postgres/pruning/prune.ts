import type { SqlStore } from '../../../stores/store.ts'
import type { PruneBounds, PruneStep, RetentionLimits, RetentionPolicy } from '../../result-backend.ts'
import { FAILED_ALONE } from '../index-columns.ts'
import { dropLeftovers, wholeMs } from './leftovers.ts'
import { lockPruning, REMOVED_COLUMNS, type RemovedRow, removeExecutions } from './remove-executions.ts'
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

/** The oldest rows that exceed the limits, in one transaction. */
async function removeOldest(
  store: SqlStore, tables: LedgerTables, failed: boolean | null, { maxAgeMs, maxCount }: RetentionLimits, bounds: PruneBounds, limit: number
): Promise<{ removed: number; isDone: boolean }> {
  const { nowMs, keepAfterMs, brokerHasAfterMs } = bounds
  return await store.transaction(async query => {
    await lockPruning(query, store)
    const { rows: [counters] } = await query<{ kept: string | number }>(
      failed === null
        ? `SELECT count(*) AS kept FROM ${tables.executions} WHERE failed IS NULL`
        : `SELECT ${failed ? 'kept_failed' : 'kept_success'} AS kept FROM ${tables.totals} WHERE scope = 'overall' AND name = ''`
    )
    const overCount = Math.max(0, Number(counters?.kept ?? 0) - maxCount)
    const { rows } = await query<RemovedRow & { over_age: boolean }>(
      `SELECT ${REMOVED_COLUMNS}, finished_at < $2::bigint AS over_age FROM ${tables.executions}
       WHERE ${failed === null ? 'failed IS NULL AND $1::integer IS NULL' : `${FAILED_ALONE} = $1::integer`}
         AND finished_at <= $3::bigint ORDER BY finished_at, execution_id LIMIT $4`,
      [failed === null ? null : Number(failed), wholeMs(nowMs - maxAgeMs), wholeMs(keepAfterMs), limit + 1]
    )
    // Expired rows are the oldest, so they come first in the excess by count too.
    const over = rows.filter((row, i) => row.over_age || i < overCount)
    const removed = over.slice(0, limit)
    if (removed.length > 0) {
      await removeExecutions(query, tables, removed, removed.filter(row => Number(row.finished_at) > brokerHasAfterMs))
      await query(`UPDATE ${tables.ledger} SET pruned_before = greatest(pruned_before, $1::bigint)`, [removed.at(-1)!.finished_at])
    }
    return { removed: removed.length, isDone: over.length === removed.length }
  }, { timeoutMs: TRANSACTION_MS })
}

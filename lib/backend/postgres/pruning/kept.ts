import type { SqlStore } from '../../../stores/store.ts'
import type { KeptHistory } from '../../result-backend.ts'
import { FAILED_ALONE } from '../index-columns.ts'
import type { LedgerTables } from '../schema.ts'

/** Reads counters and the first index entry; never counts rows. */
export async function readKept(store: SqlStore, tables: LedgerTables): Promise<KeptHistory> {
  const oldest = (failed: boolean): string =>
    `(SELECT finished_at FROM ${tables.executions} WHERE ${FAILED_ALONE} = ${Number(failed)} ORDER BY finished_at, execution_id LIMIT 1)`
  const { rows } = await store.query<Record<
    'success' | 'failed' | 'oldest_success' | 'oldest_failed' | 'pruned_before', string | number | null
  >>(
    `SELECT kept_success AS success, kept_failed AS failed, ${oldest(false)} AS oldest_success, ${oldest(true)} AS oldest_failed,
      pruned_before
     FROM ${tables.ledger} LEFT JOIN ${tables.totals} ON scope = 'overall' AND name = ''`
  )
  const row = rows[0]!
  return {
    success: { count: Number(row.success ?? 0), oldestFinishedAt: numberOrNull(row.oldest_success) },
    failed: { count: Number(row.failed ?? 0), oldestFinishedAt: numberOrNull(row.oldest_failed) },
    prunedBefore: numberOrNull(row.pruned_before)
  }
}

function numberOrNull(value: string | number | null): number | null {
  return value === null ? null : Number(value)
}

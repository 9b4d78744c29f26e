import type { SqlStore } from '../../../stores/store.ts'
import { toStorable } from '../../entry/storable-text.ts'
import type { KeptHistory } from '../../result-backend.ts'
import { FAILED_ALONE } from '../index-columns.ts'
import type { LedgerTables } from '../schema.ts'
import { storedNumber } from '../../../json/stored-number.ts'

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
    success: { count: Number(row.success ?? 0), oldestFinishedAt: storedNumber(row.oldest_success) },
    failed: { count: Number(row.failed ?? 0), oldestFinishedAt: storedNumber(row.oldest_failed) },
    prunedBefore: storedNumber(row.pruned_before)
  }
}

export async function readKeptOf(store: SqlStore, tables: LedgerTables, taskNames: readonly string[]): Promise<KeptHistory> {
  const oldest = (failed: boolean): string =>
    `(SELECT min(finished_at) FROM unnest($1::text[]) AS each_task(wanted) CROSS JOIN LATERAL (
        SELECT finished_at FROM ${tables.executions} WHERE task_name = wanted COLLATE "C" AND failed = ${failed}
        ORDER BY finished_at, execution_id LIMIT 1
      ) AS of_task)`
  const { rows } = await store.query<Record<
    'success' | 'failed' | 'oldest_success' | 'oldest_failed' | 'pruned_before', string | number | null
  >>(
    `SELECT sum(kept_success) AS success, sum(kept_failed) AS failed, ${oldest(false)} AS oldest_success, ${oldest(true)} AS oldest_failed,
      (SELECT pruned_before FROM ${tables.ledger}) AS pruned_before
     FROM ${tables.totals} WHERE scope = 'task' AND name = ANY($1::text[])`,
    [taskNames.map(toStorable)]
  )
  const row = rows[0]!
  return {
    success: { count: Number(row.success ?? 0), oldestFinishedAt: storedNumber(row.oldest_success) },
    failed: { count: Number(row.failed ?? 0), oldestFinishedAt: storedNumber(row.oldest_failed) },
    prunedBefore: storedNumber(row.pruned_before)
  }
}

import type { SqlStore } from '../../../stores/store.ts'
import type { LedgerEntry } from '../../entry/ledger-entry.ts'
import { toStorable } from '../../entry/storable-text.ts'
import { OVERALL } from '../../counting/tally.ts'
import type { LedgerTables } from '../schema.ts'

/** Of a row that is there, and of one that is given. */
export const ADDED_COUNTERS = `
       success = stored.success + excluded.success,
       failed = stored.failed + excluded.failed,
       duration_ms = stored.duration_ms + excluded.duration_ms,
       timed = stored.timed + excluded.timed,
       (last_finished_at, last_execution_id, last_failed, last_duration_ms, last_began_at) = (
         SELECT CASE WHEN newer THEN excluded.last_finished_at ELSE stored.last_finished_at END,
                CASE WHEN newer THEN excluded.last_execution_id ELSE stored.last_execution_id END,
                CASE WHEN newer THEN excluded.last_failed ELSE stored.last_failed END,
                CASE WHEN newer THEN excluded.last_duration_ms ELSE stored.last_duration_ms END,
                CASE WHEN newer THEN excluded.last_began_at ELSE stored.last_began_at END
         FROM (SELECT (excluded.last_finished_at, excluded.last_execution_id) > (stored.last_finished_at, stored.last_execution_id) AS newer) compared)`

interface Sum { readonly scope: string; readonly name: string; success: number; failed: number; duration: number; timed: number; last: LedgerEntry['execution'] }

export async function addToTotals(query: SqlStore['query'], tables: LedgerTables, entries: readonly LedgerEntry[]): Promise<void> {
  const rows = sumsOf(entries)
  await query(
    `INSERT INTO ${tables.totals} AS stored
       (scope, name, success, failed, duration_ms, last_finished_at, last_execution_id, last_failed, last_duration_ms, timed, last_began_at, kept_success, kept_failed)
     SELECT *, success, failed
     FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::double precision[], $6::bigint[], $7::text[], $8::boolean[], $9::double precision[], $10::bigint[], $11::bigint[])
       AS given (scope, name, success, failed, duration_ms, last_finished_at, last_execution_id, last_failed, last_duration_ms, timed, last_began_at)
     ON CONFLICT (scope, name) DO UPDATE SET
       kept_success = stored.kept_success + excluded.success,
       kept_failed = stored.kept_failed + excluded.failed,
       ${ADDED_COUNTERS}`,
    [
      rows.map(row => row.scope), rows.map(row => toStorable(row.name)), rows.map(row => row.success), rows.map(row => row.failed),
      rows.map(row => row.duration), rows.map(row => row.last.finishedAt), rows.map(row => toStorable(row.last.executionId)),
      rows.map(row => row.last.status === 'failed'), rows.map(row => row.last.durationMs),
      rows.map(row => row.timed), rows.map(row => row.last.startedAt ?? row.last.submittedAt)
    ]
  )
}

function sumsOf(entries: readonly LedgerEntry[]): Sum[] {
  const sums = new Map<string, Sum>()
  const add = (scope: string, name: string, execution: LedgerEntry['execution']) => {
    const key = `${scope} ${name}`
    const sum = sums.get(key) ?? { scope, name, success: 0, failed: 0, duration: 0, timed: 0, last: execution }
    sum[execution.status]++
    if (execution.durationMs !== null) {
      sum.duration += execution.durationMs
      sum.timed++
    }
    // Entries come by id: of those that finished in one millisecond the last one wins.
    if (execution.finishedAt >= sum.last.finishedAt) sum.last = execution
    sums.set(key, sum)
  }
  for (const { execution } of entries) {
    add('overall', OVERALL, execution)
    add('task', execution.taskName, execution)
    if (execution.scheduleId !== null) add('schedule', execution.scheduleId, execution)
  }
  return [...sums].sort(([a], [b]) => a < b ? -1 : 1).map(([, sum]) => sum)
}

import type { SqlStore } from '../../../stores/store.ts'
import type { CounterAddition } from '../../counting/summarize-batch.ts'
import { toStorable } from '../../entry/storable-text.ts'
import type { LedgerTables } from '../schema.ts'
import { inLockOrder } from './lock-order.ts'
import { takenFromNewer } from './taken-from-newer.ts'

const LAST = ['last_finished_at', 'last_execution_id']

/** SET clauses that add `excluded` to `stored`. */
export const ADDED_COUNTERS = `
       success = stored.success + excluded.success,
       failed = stored.failed + excluded.failed,
       duration_ms = stored.duration_ms + excluded.duration_ms,
       timed = stored.timed + excluded.timed,
       ${takenFromNewer(['last_finished_at', 'last_execution_id', 'last_failed', 'last_duration_ms', 'last_began_at'], LAST)}`

export async function addToTotals(query: SqlStore['query'], tables: LedgerTables, counters: readonly CounterAddition[]): Promise<void> {
  const rows = inLockOrder(counters, ({ scope, name }) => `${scope} ${name}`)
  await query(
    `INSERT INTO ${tables.totals} AS stored
       (scope, name, success, failed, duration_ms, last_finished_at, last_execution_id, last_failed, last_duration_ms, timed, last_began_at,
         kept_success, kept_failed)
     SELECT *, success, failed
     FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::double precision[], $6::bigint[], $7::text[], $8::boolean[],
       $9::double precision[], $10::bigint[], $11::bigint[])
       AS given (scope, name, success, failed, duration_ms, last_finished_at, last_execution_id, last_failed, last_duration_ms, timed,
         last_began_at)
     ON CONFLICT (scope, name) DO UPDATE SET
       kept_success = stored.kept_success + excluded.success,
       kept_failed = stored.kept_failed + excluded.failed,
       ${ADDED_COUNTERS}`,
    [
      rows.map(row => row.scope), rows.map(row => toStorable(row.name)), rows.map(row => row.success), rows.map(row => row.failed),
      rows.map(row => row.durationMs), rows.map(row => row.last.finishedAt), rows.map(row => toStorable(row.last.executionId)),
      rows.map(row => row.last.status === 'failed'), rows.map(row => row.last.durationMs),
      rows.map(row => row.timed), rows.map(row => row.last.startedAt ?? row.last.submittedAt)
    ]
  )
}

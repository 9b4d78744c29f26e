import type { SqlStore } from '../../../stores/store.ts'
import { MAX_GROUPS, groupsKeptSince } from '../../counting/failure-hours.ts'
import type { PruneBounds, RetentionPolicy } from '../../result-backend.ts'
import { EACH_ROLLUP_SPAN, HOURS_KEPT_MS } from '../../counting/tally.ts'
import { HOUR_MS } from '../../../time/units.ts'
import type { LedgerTables } from '../schema.ts'

const ROWS_PER_STEP = 5_000
const STEP_MS = 3_000

/**
 * Removes expired data: roll-ups, ids that the broker no longer has, attempts of executions that never finished, and failure groups that
 * have not been seen for a long time.
 * @returns whether nothing is left to remove
 */
export async function dropLeftovers(
  store: SqlStore, tables: LedgerTables, policy: RetentionPolicy, { nowMs, brokerHasAfterMs }: PruneBounds
): Promise<boolean> {
  let isAll = true
  const drop = async (table: string, rows: string, parameters: readonly unknown[]): Promise<void> => {
    const { rowCount } = await store.query(
      `DELETE FROM ${table} WHERE ctid = ANY(ARRAY(SELECT ctid FROM ${table} WHERE ${rows} LIMIT ${ROWS_PER_STEP} FOR UPDATE SKIP LOCKED))`,
      parameters, { timeoutMs: STEP_MS }
    )
    if (rowCount === ROWS_PER_STEP) isAll = false
  }
  const before = (keptMs: number, ms: number): number => Math.floor((nowMs - keptMs) / ms)

  for (const [span, { ms, keptMs, taskKeptMs }] of EACH_ROLLUP_SPAN) {
    await drop(tables.rollups, 'span = $1 AND start < $2 ORDER BY start', [span, before(keptMs, ms)])
    if (taskKeptMs < keptMs)
      await drop(tables.rollups, 'span = $1 AND start < $2 AND task_name <> \'\' ORDER BY start', [span, before(taskKeptMs, ms)])
  }
  await drop(tables.pruned, 'finished_at <= $1::bigint ORDER BY finished_at', [wholeMs(brokerHasAfterMs)])
  await drop(tables.attempts, 'expires_at < $1 ORDER BY expires_at', [nowMs])
  await drop(tables.failureGroupHours, 'hour < $1 ORDER BY hour', [before(HOURS_KEPT_MS, HOUR_MS)])
  await dropGroups(store, tables, groupsKeptSince(policy, nowMs))
  return isAll
}

/** Removes groups with their counts in one statement. A failure that arrives during it waits and starts a new group. */
async function dropGroups(store: SqlStore, tables: LedgerTables, keptSince: number): Promise<void> {
  await store.query(
    `WITH gone AS (
       DELETE FROM ${tables.failureGroups} WHERE last_seen_at < $1::bigint OR error_group = ANY(ARRAY(
         SELECT error_group FROM ${tables.failureGroups} ORDER BY last_seen_at DESC,
           error_group DESC OFFSET ${MAX_GROUPS} LIMIT ${ROWS_PER_STEP}))
       RETURNING error_group
     ), without_tasks AS (
       DELETE FROM ${tables.failureGroupTasks} AS counts USING gone WHERE counts.error_group = gone.error_group
     )
     DELETE FROM ${tables.failureGroupHours} AS counts USING gone WHERE counts.error_group = gone.error_group`,
    [wholeMs(keptSince)], { timeoutMs: STEP_MS }
  )
}

/** Policy limits may be infinite, which bigint cannot hold. */
export function wholeMs(ms: number): number {
  return Math.trunc(Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, ms)))
}

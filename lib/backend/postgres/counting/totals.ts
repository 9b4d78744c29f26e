import type { SqlStore } from '../../../stores/store.ts'
import { inChunks } from '../../../collections/in-chunks.ts'
import type { BackendTotals, CountedSchedules, TaskTotals } from '../../result-backend.ts'
import { fromStorable, toStorable } from '../../entry/storable-text.ts'
import { ADDED_COUNTERS } from '../recording/record-totals.ts'
import type { LedgerTables } from '../schema.ts'

export async function readTotals(store: SqlStore, tables: LedgerTables): Promise<BackendTotals> {
  const { rows } = await store.query<{ since: string | number; success: string | number | null; failed: string | number | null }>(
    `SELECT since, success, failed FROM ${tables.ledger} LEFT JOIN ${tables.totals} ON scope = 'overall' AND name = ''`
  )
  const row = rows[0]!
  return { success: Number(row.success ?? 0), failed: Number(row.failed ?? 0), since: Number(row.since) }
}

export async function readTaskTotals(store: SqlStore, tables: LedgerTables): Promise<Map<string, TaskTotals>> {
  const { rows } = await store.query<TotalsRow>(`SELECT * FROM ${tables.totals} WHERE scope = 'task' ORDER BY name`)
  return new Map(rows.map(totalsFromRow))
}

export async function readScheduleTotals(
  store: SqlStore, tables: LedgerTables, scheduleIds: readonly string[]
): Promise<Map<string, TaskTotals>> {
  const totals = new Map<string, TaskTotals>()
  for (const chunk of inChunks(scheduleIds, 1_000)) {
    const { rows } = await store.query<TotalsRow>(
      `SELECT * FROM ${tables.totals} WHERE scope = 'schedule' AND name = ANY($1::text[]) AND success + failed > 0`, [chunk.map(toStorable)]
    )
    for (const row of rows) totals.set(...totalsFromRow(row))
  }
  return totals
}

export async function forgetSchedule(store: SqlStore, tables: LedgerTables, scheduleId: string): Promise<void> {
  await forget(store.query.bind(store), tables, scheduleId)
}

/** The counters of executions that are still kept do not change. */
async function forget(query: SqlStore['query'], tables: LedgerTables, scheduleId: string): Promise<void> {
  await query(
    `UPDATE ${tables.totals} SET success = 0, failed = 0, duration_ms = 0, last_finished_at = 0, last_execution_id = '',
      last_failed = false, last_duration_ms = NULL, last_began_at = 0, timed = 0
     WHERE scope = 'schedule' AND name = $1`,
    [toStorable(scheduleId)]
  )
  await query(
    `DELETE FROM ${tables.totals} WHERE scope = 'schedule' AND name = $1 AND success + failed + kept_success + kept_failed = 0`,
    [toStorable(scheduleId)]
  )
}

/** Ordered by id. */
export async function readCountedSchedules(
  store: SqlStore, tables: LedgerTables, cursor: string | null, limit: number
): Promise<CountedSchedules> {
  const { rows } = await store.query<{ name: string }>(
    `SELECT name FROM ${tables.totals} WHERE scope = 'schedule' AND success + failed > 0 AND name > $1 ORDER BY name LIMIT $2`,
    [cursor ?? '', limit]
  )
  return { scheduleIds: rows.map(row => fromStorable(row.name)), next: rows.length === limit ? rows.at(-1)!.name : null }
}

/** The counts of kept executions stay with the old id, because executions keep the id they ran under. */
export async function moveSchedule(store: SqlStore, tables: LedgerTables, from: string, to: string): Promise<void> {
  if (from === to) return
  const names = [from, to].map(toStorable)
  await store.transaction(async query => {
    // Recorders lock this row first.
    await query(`SELECT 1 FROM ${tables.totals} WHERE scope = 'overall' FOR UPDATE`)
    await query(
      `INSERT INTO ${tables.totals} AS stored
         (scope, name, success, failed, duration_ms, last_finished_at, last_execution_id, last_failed, last_duration_ms, timed,
           last_began_at)
       SELECT scope, $2::text, success, failed, duration_ms, last_finished_at, last_execution_id, last_failed, last_duration_ms, timed,
         last_began_at
       FROM ${tables.totals} WHERE scope = 'schedule' AND name = $1 AND success + failed > 0
       ON CONFLICT (scope, name) DO UPDATE SET ${ADDED_COUNTERS}`,
      names
    )
    await forget(query, tables, from)
  })
}

interface TotalsRow {
  name: string
  success: string | number
  failed: string | number
  duration_ms: number
  last_finished_at: string | number
  last_execution_id: string
  last_failed: boolean
  last_duration_ms: number | null
  last_began_at: string | number
  timed: string | number
}

function totalsFromRow(row: TotalsRow): [name: string, totals: TaskTotals] {
  return [fromStorable(row.name), {
    success: Number(row.success),
    failed: Number(row.failed),
    totalDurationMs: row.duration_ms,
    timed: Number(row.timed),
    last: {
      executionId: fromStorable(row.last_execution_id),
      status: row.last_failed ? 'failed' : 'success',
      finishedAt: Number(row.last_finished_at),
      durationMs: row.last_duration_ms,
      beganAt: Number(row.last_began_at)
    }
  }]
}

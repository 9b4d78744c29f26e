import type { SqlStore } from '../../stores/store.ts'
import { decodeHistogram, mergeInto } from '../buckets.ts'
import type { FinishedWindow } from '../result-backend.ts'
import { fromStorable } from '../storable-text.ts'
import { HOURS_KEPT_MS, HOUR_MS, MINUTES_KEPT_MS, MINUTE_MS, OVERALL, type Tally, emptyTally, hasMinutes, spansTouched, toFinishedWindow } from '../tally.ts'
import type { LedgerTables } from './schema.ts'

interface RollupRow { task_name: string; success: string | number; failed: string | number; duration: string; wait: string }

export async function readWindow(store: SqlStore, tables: LedgerTables, fromMs: number, toMs: number): Promise<FinishedWindow> {
  const byMinute = hasMinutes(fromMs, Date.now())
  const { first, end } = byMinute ? spansTouched(fromMs, toMs, MINUTE_MS, MINUTES_KEPT_MS) : spansTouched(fromMs, toMs, HOUR_MS, HOURS_KEPT_MS)
  const { rows } = await store.query<RollupRow>(
    `SELECT * FROM ${tables.rollups} WHERE span = $1 AND start >= $2 AND start < $3 AND task_name = ''`,
    [byMinute ? 'minute' : 'hour', first, end]
  )
  const tally = emptyTally()
  for (const row of rows) addRow(tally, row)
  return toFinishedWindow(tally)
}

export async function readWindowByTask(store: SqlStore, tables: LedgerTables, fromMs: number, toMs: number): Promise<Map<string, FinishedWindow>> {
  const { first, end } = spansTouched(fromMs, toMs, HOUR_MS, HOURS_KEPT_MS)
  const { rows } = await store.query<RollupRow>(`SELECT * FROM ${tables.rollups} WHERE span = 'hour' AND start >= $1 AND start < $2`, [first, end])
  const tallies = new Map<string, Tally>()
  for (const row of rows) {
    if (row.task_name === OVERALL) continue
    const tally = tallies.get(row.task_name) ?? emptyTally()
    addRow(tally, row)
    tallies.set(row.task_name, tally)
  }
  return new Map(Array.from(tallies, ([task, tally]) => [fromStorable(task), toFinishedWindow(tally)]))
}

function addRow(tally: Tally, row: RollupRow): void {
  tally.success += Number(row.success)
  tally.failed += Number(row.failed)
  mergeInto(tally.duration, decodeHistogram(row.duration))
  mergeInto(tally.wait, decodeHistogram(row.wait))
}

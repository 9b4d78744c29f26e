import type { SqlStore } from '../../stores/store.ts'
import { decodeHistogram } from '../buckets.ts'
import type { Rollup, RollupQuery } from '../result-backend.ts'
import { toStorable } from '../storable-text.ts'
import { OVERALL, spansTouched } from '../tally.ts'
import { ROLLUP_SPANS } from './record-rollups.ts'
import type { LedgerTables } from './schema.ts'

export async function readRollups(store: SqlStore, tables: LedgerTables, { taskName = OVERALL, span, fromMs, toMs }: RollupQuery): Promise<Rollup[]> {
  const { ms, keptMs, taskKeptMs } = ROLLUP_SPANS[span]
  const { first, end } = spansTouched(fromMs, toMs, ms, taskName === OVERALL ? keptMs : taskKeptMs)
  const { rows } = await store.query<{ start: string | number; success: string | number; failed: string | number; duration: string; wait: string }>(
    `SELECT start, success, failed, duration, wait FROM ${tables.rollups} WHERE span = $1 AND start >= $2 AND start < $3 AND task_name = $4 ORDER BY start`,
    [span, first, end, toStorable(taskName)]
  )
  return rows.map(row => ({
    startMs: Number(row.start) * ms,
    tally: { success: Number(row.success), failed: Number(row.failed), duration: decodeHistogram(row.duration), wait: decodeHistogram(row.wait) }
  }))
}

import type { SqlStore } from '../../../stores/store.ts'
import { decodeHistogram } from './histogram-text.ts'
import type { Rollup, RollupQuery } from '../../result-backend.ts'
import { addRollups } from '../../counting/add-rollups.ts'
import type { RollupCaches } from '../../counting/rollup-cache.ts'
import { toStorable } from '../../entry/storable-text.ts'
import { OVERALL, ROLLUP_SPANS, type PackedTally, packTally, spansTouched } from '../../counting/tally.ts'
import type { LedgerTables } from '../schema.ts'

/**
 * A row's version. It includes the transaction that wrote it, because counts alone could look the same after data was lost and recorded
 * again.
 */
export const ROLLUP_VERSION = 'concat(stored.xmin, \' \', stored.success + stored.failed)'

/** Null columns mean that the cached value is current. */
export interface RollupRow { success: string | number; failed: string | number; duration: string; wait: string }

export async function readRollups(
  store: SqlStore, tables: LedgerTables, caches: RollupCaches, { taskName = OVERALL, span, fromMs, toMs }: RollupQuery
): Promise<Rollup[]> {
  const { ms, keptMs, taskKeptMs } = ROLLUP_SPANS[span]
  const { first, end } = spansTouched(fromMs, toMs, ms, taskName === OVERALL ? keptMs : taskKeptMs)
  if (end <= first) return []
  const names = Array.from({ length: end - first }, (_, i) => `${span}:${first + i}:${taskName}`)
  const known = names.map(name => caches.tallies.get(name))
  const { rows } = await store.query<{ start: string | number; version: string } & (RollupRow | { duration: null; wait: null })>(
    `SELECT start, version, success, failed, CASE WHEN is_known THEN NULL ELSE duration END AS duration,
      CASE WHEN is_known THEN NULL ELSE wait END AS wait
     FROM (SELECT *, ${ROLLUP_VERSION} AS version, ${ROLLUP_VERSION} = ($5::text[])[(start - $2::bigint)::integer + 1] AS is_known
           FROM ${tables.rollups} AS stored WHERE span = $1 AND start >= $2::bigint AND start < $3::bigint AND task_name = $4) AS compared
     ORDER BY start`,
    [span, first, end, toStorable(taskName), known.map(each => each?.version ?? '')]
  )
  return rows.map(row => {
    const i = Number(row.start) - first
    const tally = row.duration === null ? known[i]!.value : tallyFromRow(row)
    if (row.duration !== null) caches.tallies.set(names[i]!, { version: row.version, value: tally })
    return { startMs: Number(row.start) * ms, tally }
  })
}

/** Adds up the roll-ups of these tasks. Nothing is cached, because each reader has different tasks. */
export async function readRollupsOf(
  store: SqlStore, tables: LedgerTables, taskNames: readonly string[], { span, fromMs, toMs }: RollupQuery
): Promise<Rollup[]> {
  const { ms, taskKeptMs } = ROLLUP_SPANS[span]
  const { first, end } = spansTouched(fromMs, toMs, ms, taskKeptMs)
  if (end <= first) return []
  const { rows } = await store.query<{ start: string | number } & RollupRow>(
    `SELECT start, success, failed, duration, wait FROM ${tables.rollups}
     WHERE span = $1 AND start >= $2::bigint AND start < $3::bigint AND task_name = ANY($4::text[])`,
    [span, first, end, taskNames.map(toStorable)]
  )
  return addRollups(rows.map(row => ({ startMs: Number(row.start) * ms, tally: tallyFromRow(row) })))
}

export function tallyFromRow({ success, failed, duration, wait }: RollupRow): PackedTally {
  return packTally({ success: Number(success), failed: Number(failed), duration: decodeHistogram(duration), wait: decodeHistogram(wait) })
}

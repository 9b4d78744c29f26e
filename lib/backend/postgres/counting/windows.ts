import type { SqlStore } from '../../../stores/store.ts'
import type { HourOfTasks } from '../../counting/by-task.ts'
import type { RollupCaches } from '../../counting/rollup-cache.ts'
import { fromStorable } from '../../entry/storable-text.ts'
import type { PackedTally } from '../../counting/tally.ts'
import { ROLLUP_VERSION, type RollupRow, tallyFromRow } from './rollups.ts'
import type { LedgerTables } from '../schema.ts'

/** Any change within an hour also changes that hour's overall row, so its version covers the rows of all tasks. */
export async function readHours(
  store: SqlStore, tables: LedgerTables, caches: RollupCaches, first: number, end: number
): Promise<HourOfTasks[]> {
  const names = Array.from({ length: end - first }, (_, i) => `hour:${first + i}`)
  const known = names.map(name => caches.byTask.get(name))
  const { rows } = await store.query<{
    start: string | number; version: string
  } & (RollupRow & { task_name: string } | { task_name: null })>(
    `SELECT start, version, tasks.*
     FROM (SELECT start, ${ROLLUP_VERSION} AS version FROM ${tables.rollups} AS stored
           WHERE span = 'hour' AND start >= $1::bigint AND start < $2::bigint AND task_name = '') AS hours
     LEFT JOIN LATERAL (SELECT task_name, success, failed, duration, wait FROM ${tables.rollups} AS each
                        WHERE span = 'hour' AND each.start = hours.start AND task_name > ''
                          AND version <> ($3::text[])[(hours.start - $1::bigint)::integer + 1]) AS tasks ON true`,
    [first, end, known.map(each => each?.version ?? '')]
  )
  const hours = new Map<number, ReadonlyMap<string, PackedTally>>()
  const changed = new Map<number, { readonly version: string; readonly value: Map<string, PackedTally> }>()
  for (const row of rows) {
    const i = Number(row.start) - first
    if (row.task_name === null) {
      if (known[i]?.version === row.version) hours.set(i, known[i].value)
      continue
    }
    const hour = changed.get(i) ?? { version: row.version, value: new Map<string, PackedTally>() }
    hour.value.set(fromStorable(row.task_name), tallyFromRow(row))
    changed.set(i, hour)
    hours.set(i, hour.value)
  }
  for (const [i, hour] of changed) caches.byTask.set(names[i]!, hour)
  return names.map((_, i) => hours.get(i))
}

import type { SqlStore } from '../../stores/store.ts'
import { inChunks } from '../../collections/in-chunks.ts'
import { fromStorable, toStorable } from '../entry/storable-text.ts'
import type { LedgerTables } from './schema.ts'

export async function readWatermarks(store: SqlStore, tables: LedgerTables): Promise<Map<string, number>> {
  const { rows } = await store.query<{ task_name: string; finished_before: string | number }>(
    `SELECT task_name, finished_before FROM ${tables.watermarks}`
  )
  return new Map(rows.map(row => [fromStorable(row.task_name), Number(row.finished_before)]))
}

export async function saveWatermarks(store: SqlStore, tables: LedgerTables, changed: ReadonlyMap<string, number | null>): Promise<void> {
  // A fixed order, so that concurrent writers cannot deadlock.
  const entries = Array.from(changed, ([taskName, finishedAt]) => [
    toStorable(taskName), finishedAt
  ] as const).sort(([a], [b]) => a < b ? -1 : 1)
  for (const chunk of inChunks(entries, 1_000)) {
    const saved = chunk.filter(([, finishedAt]) => finishedAt !== null)
    const gone = chunk.flatMap(([name, finishedAt]) => finishedAt === null ? [name] : [])
    if (saved.length > 0) {
      await store.query(
        `INSERT INTO ${tables.watermarks} (task_name, finished_before) SELECT * FROM unnest($1::text[], $2::bigint[])
         ON CONFLICT (task_name) DO UPDATE SET finished_before = excluded.finished_before`,
        [saved.map(([name]) => name), saved.map(([, finishedAt]) => Math.trunc(finishedAt!))])
    }
    if (gone.length > 0) await store.query(`DELETE FROM ${tables.watermarks} WHERE task_name = ANY($1::text[])`, [gone])
  }
}

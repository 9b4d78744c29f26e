import type { SqlStore } from '../../../stores/store.ts'
import type { FinishedQuery } from '../../result-backend.ts'
import type { LedgerTables } from '../schema.ts'
import { type Drive, createParameters, firstOf } from './access-paths.ts'

const ROWS_PROBED = 200

/** The drive whose next rows reach furthest in time: the rarest of them, here and now, without asking the planner's statistics. */
export async function rarestOf(store: SqlStore, tables: LedgerTables, drives: readonly Drive[], query: FinishedQuery): Promise<Drive> {
  const empty = drives.find(drive => drive.scans.length === 0)
  if (empty !== undefined || drives.length === 1) return empty ?? drives[0]!
  const parameters = createParameters()
  const furthest = query.order === 'newest' ? 'min' : 'max'
  const parts = drives.map((drive, i) =>
    `SELECT ${i} AS drive, count(*)::integer AS found, ${furthest}(finished_at) AS reached
     FROM ${firstOf(tables, drive, query, { columns: 'finished_at, execution_id', limit: ROWS_PROBED }, parameters)} AS probed`)
  const { rows } = await store.query<{ drive: number; found: number; reached: string | number | null }>(
    parts.join(' UNION ALL '), parameters.values
  )
  const probes = rows.map(row => ({
    drive: row.drive, found: row.found, reached: Number(row.reached) * (query.order === 'newest' ? 1 : -1)
  }))
  // One that ends before the probe does comes first, then the one that reaches furthest.
  probes.sort((a, b) => a.found - b.found || a.reached - b.reached || a.drive - b.drive)
  return drives[probes[0]!.drive]!
}

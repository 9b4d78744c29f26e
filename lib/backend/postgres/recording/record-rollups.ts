import type { SqlStore } from '../../../stores/store.ts'
import { decodeHistogram, encodeHistogram, mergeInto } from '../../counting/buckets.ts'
import type { LedgerEntry } from '../../entry/ledger-entry.ts'
import type { RollupSpan } from '../../counting/tally.ts'
import { fromStorable, toStorable } from '../../entry/storable-text.ts'
import { EACH_ROLLUP_SPAN, OVERALL, ROLLUP_SPANS, type Tally, emptyTally, tallyInto } from '../../counting/tally.ts'
import type { LedgerTables } from '../schema.ts'

interface Rollup { readonly span: RollupSpan; readonly start: number; readonly taskName: string; readonly tally: Tally }

/** Inserts those that are new and locks the others, in one order; reads what is stored of these, merges it here, and writes each of them once. */
export async function addToRollups(query: SqlStore['query'], tables: LedgerTables, entries: readonly LedgerEntry[]): Promise<void> {
  const rollups = rollupsOf(entries)
  const ordered = [...rollups].sort(([a], [b]) => a < b ? -1 : 1).map(([, rollup]) => rollup)
  if (ordered.length === 0) return
  const { rows: inserted } = await query<KeyRow>(
    `INSERT INTO ${tables.rollups} AS stored (span, start, task_name, success, failed, duration, wait)
     SELECT * FROM unnest(${PARAMETERS}) ON CONFLICT (span, start, task_name) DO UPDATE SET success = 0 WHERE false
     RETURNING span, start, task_name`,
    toColumns(ordered)
  )
  const isNew = new Set(inserted.map(keyOfRow))
  const there = ordered.filter(each => !isNew.has(keyOf(each)))
  if (there.length === 0) return
  const { rows } = await query<KeyRow & { duration: string; wait: string }>(
    `SELECT span, start, task_name, duration, wait FROM ${tables.rollups} JOIN unnest($1::text[], $2::bigint[], $3::text[]) AS given (span, start, task_name)
     USING (span, start, task_name)`,
    toColumns(there).slice(0, 3)
  )
  for (const row of rows) {
    const { tally } = rollups.get(keyOfRow(row))!
    mergeInto(tally.duration, decodeHistogram(row.duration))
    mergeInto(tally.wait, decodeHistogram(row.wait))
  }
  await query(
    `UPDATE ${tables.rollups} AS stored
     SET success = stored.success + merged.success, failed = stored.failed + merged.failed, duration = merged.duration, wait = merged.wait
     FROM unnest(${PARAMETERS}) AS merged (span, start, task_name, success, failed, duration, wait)
     WHERE (stored.span, stored.start, stored.task_name) = (merged.span, merged.start, merged.task_name)`,
    toColumns(there)
  )
}

const PARAMETERS = '$1::text[], $2::bigint[], $3::text[], $4::bigint[], $5::bigint[], $6::text[], $7::text[]'

function toColumns(rollups: readonly Rollup[]): unknown[][] {
  return [
    rollups.map(each => each.span), rollups.map(each => each.start), rollups.map(each => toStorable(each.taskName)),
    rollups.map(each => each.tally.success), rollups.map(each => each.tally.failed),
    rollups.map(each => encodeHistogram(each.tally.duration)), rollups.map(each => encodeHistogram(each.tally.wait))
  ]
}

function rollupsOf(entries: readonly LedgerEntry[]): Map<string, Rollup> {
  const rollups = new Map<string, Rollup>()
  const now = Date.now()
  const add = (span: RollupSpan, taskName: string, entry: LedgerEntry) => {
    const start = Math.floor(entry.execution.finishedAt / ROLLUP_SPANS[span].ms)
    const key = keyOf({ span, start, taskName })
    const rollup = rollups.get(key) ?? { span, start, taskName, tally: emptyTally() }
    tallyInto(rollup.tally, entry)
    rollups.set(key, rollup)
  }
  for (const entry of entries) {
    const { finishedAt, taskName } = entry.execution
    for (const [span, { keptMs, taskKeptMs }] of EACH_ROLLUP_SPAN) {
      if (finishedAt > now - keptMs) add(span, OVERALL, entry)
      if (finishedAt > now - taskKeptMs) add(span, taskName, entry)
    }
  }
  return rollups
}

interface KeyRow { span: string; start: string | number; task_name: string }

function keyOfRow(row: KeyRow): string {
  return keyOf({ span: row.span, start: Number(row.start), taskName: fromStorable(row.task_name) })
}

function keyOf({ span, start, taskName }: { span: string; start: number; taskName: string }): string {
  return `${span} ${start} ${taskName}`
}

import type { SqlStore } from '../../../stores/store.ts'
import { type Histogram, mergeInto } from '../../counting/histogram.ts'
import { decodeHistogram, encodeHistogram } from '../counting/histogram-text.ts'
import type { RollupAddition } from '../../counting/summarize-batch.ts'
import type { ReadonlyTally } from '../../counting/tally.ts'
import { fromStorable, toStorable } from '../../entry/storable-text.ts'
import type { LedgerTables } from '../schema.ts'
import { inLockOrder } from './lock-order.ts'

type Addition = Pick<RollupAddition, 'span' | 'number' | 'taskName' | 'tally'>

/** Inserts new rows and locks existing ones, in one order. Then it reads the existing ones, merges them here, and writes each once. */
export async function addToRollups(query: SqlStore['query'], tables: LedgerTables, rollups: readonly RollupAddition[]): Promise<void> {
  if (rollups.length === 0) return
  const ordered = inLockOrder(rollups, keyOf)
  const { rows: inserted } = await query<KeyRow>(
    `INSERT INTO ${tables.rollups} AS stored (span, start, task_name, success, failed, duration, wait)
     SELECT * FROM unnest(${PARAMETERS}) ON CONFLICT (span, start, task_name) DO UPDATE SET success = 0 WHERE false
     RETURNING span, start, task_name`,
    toColumns(ordered)
  )
  const isNew = new Set(inserted.map(keyOfRow))
  const there = new Map(ordered.map(each => [keyOf(each), each] as const).filter(([key]) => !isNew.has(key)))
  if (there.size === 0) return
  const { rows } = await query<KeyRow & { duration: string; wait: string }>(
    `SELECT span, start, task_name, duration, wait FROM ${tables.rollups} JOIN unnest($1::text[], $2::bigint[], $3::text[]) AS given (span,
      start, task_name)
     USING (span, start, task_name)`,
    toColumns([...there.values()]).slice(0, 3)
  )
  const merged = rows.map(row => {
    const addition = there.get(keyOfRow(row))!
    return {
      ...addition,
      tally: { ...addition.tally, duration: merge(row.duration, addition.tally.duration), wait: merge(row.wait, addition.tally.wait) }
    }
  })
  await query(
    `UPDATE ${tables.rollups} AS stored
     SET success = stored.success + merged.success, failed = stored.failed + merged.failed, duration = merged.duration, wait = merged.wait
     FROM unnest(${PARAMETERS}) AS merged (span, start, task_name, success, failed, duration, wait)
     WHERE (stored.span, stored.start, stored.task_name) = (merged.span, merged.start, merged.task_name)`,
    toColumns(merged)
  )
}

const PARAMETERS = '$1::text[], $2::bigint[], $3::text[], $4::bigint[], $5::bigint[], $6::text[], $7::text[]'

function toColumns(rollups: readonly Addition[]): unknown[][] {
  const encoded = new Map<ReadonlyTally, { readonly duration: string; readonly wait: string }>()
  for (const { tally } of rollups) {
    if (!encoded.has(tally)) encoded.set(tally, { duration: encodeHistogram(tally.duration), wait: encodeHistogram(tally.wait) })
  }
  return [
    rollups.map(each => each.span), rollups.map(each => each.number), rollups.map(each => toStorable(each.taskName)),
    rollups.map(each => each.tally.success), rollups.map(each => each.tally.failed),
    rollups.map(each => encoded.get(each.tally)!.duration), rollups.map(each => encoded.get(each.tally)!.wait)
  ]
}

function merge(stored: string, added: Histogram): Histogram {
  const merged = decodeHistogram(stored)
  mergeInto(merged, added)
  return merged
}

interface KeyRow { span: string; start: string | number; task_name: string }

function keyOfRow(row: KeyRow): string {
  return `${row.span} ${row.start} ${fromStorable(row.task_name)}`
}

function keyOf({ span, number, taskName }: Addition): string {
  return `${span} ${number} ${taskName}`
}

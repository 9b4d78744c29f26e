import type { SqlStore } from '../../stores/store.ts'
import { decodeHistogram, encodeHistogram, mergeInto } from '../buckets.ts'
import type { LedgerEntry } from '../ledger-entry.ts'
import { fromStorable, toStorable } from '../storable-text.ts'
import { HOURS_KEPT_MS, HOUR_MS, MINUTES_KEPT_MS, MINUTE_MS, OVERALL, type Tally, emptyTally, tallyInto } from '../tally.ts'
import { ITEM_COLUMNS, toItemColumns } from './item.ts'
import type { LedgerTables } from './schema.ts'

const ENTRIES_A_TRANSACTION = 1_000
const BYTES_A_TRANSACTION = 8 * 1024 * 1024

type Query = SqlStore['query']

/**
 * One transaction a batch: what is not there yet, then the counters and roll-ups of those. Every statement takes its rows in
 * an order that all writers share, so two of them wait for each other and never in a circle.
 * @returns how many were new.
 */
export async function recordEntries(store: SqlStore, tables: LedgerTables, entries: readonly LedgerEntry[]): Promise<number> {
  let added = 0
  for (const batch of batchesOf(entries)) {
    added += await store.transaction(async query => {
      const fresh = await insertItems(query, tables, batch)
      if (fresh.length === 0) return 0
      await insertPayloads(query, tables, fresh)
      await keepAttempts(query, tables, fresh)
      await addToTotals(query, tables, fresh)
      await addToRollups(query, tables, fresh)
      return fresh.length
    })
  }
  return added
}

function * batchesOf(entries: readonly LedgerEntry[]): Generator<LedgerEntry[]> {
  let batch: LedgerEntry[] = []
  let bytes = 0
  for (const entry of entries) {
    bytes += entry.payload?.length ?? 0
    if (batch.length > 0 && (batch.length === ENTRIES_A_TRANSACTION || bytes > BYTES_A_TRANSACTION)) {
      yield batch
      batch = []
      bytes = entry.payload?.length ?? 0
    }
    batch.push(entry)
  }
  if (batch.length > 0) yield batch
}

async function insertItems(query: Query, tables: LedgerTables, entries: readonly LedgerEntry[]): Promise<LedgerEntry[]> {
  const { rows } = await query<{ execution_id: string }>(
    `INSERT INTO ${tables.executions} (${Object.keys(ITEM_COLUMNS).join(', ')})
     SELECT * FROM unnest(${Object.values(ITEM_COLUMNS).map((type, i) => `$${i + 1}::${type}[]`).join(', ')})
     ON CONFLICT (execution_id) DO NOTHING RETURNING execution_id`,
    toItemColumns(entries.map(entry => entry.execution))
  )
  const added = new Set(rows.map(row => fromStorable(row.execution_id)))
  return entries.filter(entry => added.has(entry.execution.executionId))
}

async function insertPayloads(query: Query, tables: LedgerTables, entries: readonly LedgerEntry[]): Promise<void> {
  const withPayload = entries.filter(entry => entry.payload !== null)
  if (withPayload.length === 0) return
  await query(
    `INSERT INTO ${tables.payloads} (execution_id, payload) SELECT * FROM unnest($1::text[], $2::text[]) ON CONFLICT DO NOTHING`,
    [withPayload.map(entry => toStorable(entry.execution.executionId)), withPayload.map(entry => entry.payload)]
  )
}

async function keepAttempts(query: Query, tables: LedgerTables, entries: readonly LedgerEntry[]): Promise<void> {
  const retried = entries.filter(entry => entry.execution.attempt > 1)
  if (retried.length === 0) return
  await query(`UPDATE ${tables.attempts} SET expires_at = NULL WHERE execution_id = ANY($1::text[])`, [retried.map(entry => toStorable(entry.execution.executionId))])
}

interface Sum { scope: string; name: string; success: number; failed: number; duration: number; last: LedgerEntry['execution'] }

async function addToTotals(query: Query, tables: LedgerTables, entries: readonly LedgerEntry[]): Promise<void> {
  const sums = new Map<string, Sum>()
  const add = (scope: string, name: string, execution: LedgerEntry['execution']) => {
    const key = `${scope} ${name}`
    const sum = sums.get(key) ?? { scope, name, success: 0, failed: 0, duration: 0, last: execution }
    sum[execution.status]++
    sum.duration += execution.durationMs ?? 0
    // Entries come by id: of those that finished in one millisecond the last one wins.
    if (execution.finishedAt >= sum.last.finishedAt) sum.last = execution
    sums.set(key, sum)
  }
  for (const { execution } of entries) {
    add('overall', OVERALL, execution)
    add('task', execution.taskName, execution)
    if (execution.scheduleId !== null) add('schedule', execution.scheduleId, execution)
  }
  const rows = [...sums].sort(([a], [b]) => a < b ? -1 : 1).map(([, sum]) => sum)
  await query(
    `INSERT INTO ${tables.totals} AS stored (scope, name, success, failed, duration_ms, last_finished_at, last_execution_id, last_failed, last_duration_ms)
     SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::double precision[], $6::bigint[], $7::text[], $8::boolean[], $9::double precision[])
     ON CONFLICT (scope, name) DO UPDATE SET
       success = stored.success + excluded.success,
       failed = stored.failed + excluded.failed,
       duration_ms = stored.duration_ms + excluded.duration_ms,
       (last_finished_at, last_execution_id, last_failed, last_duration_ms) = (
         SELECT CASE WHEN newer THEN excluded.last_finished_at ELSE stored.last_finished_at END,
                CASE WHEN newer THEN excluded.last_execution_id ELSE stored.last_execution_id END,
                CASE WHEN newer THEN excluded.last_failed ELSE stored.last_failed END,
                CASE WHEN newer THEN excluded.last_duration_ms ELSE stored.last_duration_ms END
         FROM (SELECT (excluded.last_finished_at, excluded.last_execution_id) > (stored.last_finished_at, stored.last_execution_id) AS newer) compared)`,
    [
      rows.map(row => row.scope), rows.map(row => toStorable(row.name)), rows.map(row => row.success), rows.map(row => row.failed),
      rows.map(row => row.duration), rows.map(row => row.last.finishedAt), rows.map(row => toStorable(row.last.executionId)),
      rows.map(row => row.last.status === 'failed'), rows.map(row => row.last.durationMs ?? 0)
    ]
  )
}

interface Rollup { readonly span: 'minute' | 'hour'; readonly start: number; readonly taskName: string; readonly tally: Tally }

/** Adds counts and takes the rows, which gives their histograms; merges those here; writes them back. */
async function addToRollups(query: Query, tables: LedgerTables, entries: readonly LedgerEntry[]): Promise<void> {
  const rollups = [...rollupsOf(entries)].sort(([a], [b]) => a < b ? -1 : 1).map(([, rollup]) => rollup)
  if (rollups.length === 0) return
  const keys = [rollups.map(each => each.span), rollups.map(each => each.start), rollups.map(each => toStorable(each.taskName))]
  const { rows } = await query<{ span: string; start: string | number; task_name: string; duration: string; wait: string }>(
    `INSERT INTO ${tables.rollups} AS stored (span, start, task_name, success, failed, duration, wait)
     SELECT *, '-', '-' FROM unnest($1::text[], $2::bigint[], $3::text[], $4::bigint[], $5::bigint[])
     ON CONFLICT (span, start, task_name) DO UPDATE SET success = stored.success + excluded.success, failed = stored.failed + excluded.failed
     RETURNING span, start, task_name, duration, wait`,
    [...keys, rollups.map(each => each.tally.success), rollups.map(each => each.tally.failed)]
  )
  const stored = new Map(rows.map(row => [rollupKey(row.span, Number(row.start), fromStorable(row.task_name)), row]))
  for (const { span, start, taskName, tally } of rollups) {
    const row = stored.get(rollupKey(span, start, taskName))!
    mergeInto(tally.duration, decodeHistogram(row.duration))
    mergeInto(tally.wait, decodeHistogram(row.wait))
  }
  await query(
    `UPDATE ${tables.rollups} AS stored SET duration = merged.duration, wait = merged.wait
     FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::text[]) AS merged (span, start, task_name, duration, wait)
     WHERE (stored.span, stored.start, stored.task_name) = (merged.span, merged.start, merged.task_name)`,
    [...keys, rollups.map(each => encodeHistogram(each.tally.duration)), rollups.map(each => encodeHistogram(each.tally.wait))]
  )
}

function rollupsOf(entries: readonly LedgerEntry[]): Map<string, Rollup> {
  const rollups = new Map<string, Rollup>()
  const now = Date.now()
  const add = (span: Rollup['span'], start: number, taskName: string, entry: LedgerEntry) => {
    const key = rollupKey(span, start, taskName)
    const rollup = rollups.get(key) ?? { span, start, taskName, tally: emptyTally() }
    tallyInto(rollup.tally, entry)
    rollups.set(key, rollup)
  }
  for (const entry of entries) {
    const { finishedAt, taskName } = entry.execution
    const hour = Math.floor(finishedAt / HOUR_MS)
    if (finishedAt > now - MINUTES_KEPT_MS) add('minute', Math.floor(finishedAt / MINUTE_MS), OVERALL, entry)
    if (finishedAt <= now - HOURS_KEPT_MS) continue
    add('hour', hour, OVERALL, entry)
    add('hour', hour, taskName, entry)
  }
  return rollups
}

function rollupKey(span: string, start: number, taskName: string): string {
  return `${span} ${start} ${taskName}`
}

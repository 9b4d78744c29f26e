import type { SqlStore } from '../../../stores/store.ts'
import { type LedgerEntry, keptText } from '../../entry/ledger-entry.ts'
import { summarizeBatch } from '../../counting/summarize-batch.ts'
import { searchableOf } from '../../search/searchable.ts'
import { toStorable } from '../../entry/storable-text.ts'
import { ITEM_COLUMNS, toArrayText, toItemColumns } from '../item.ts'
import { addToFailureGroups } from './record-failures.ts'
import { addToRollups } from './record-rollups.ts'
import { addToTotals } from './record-totals.ts'
import type { LedgerTables } from '../schema.ts'
import { toSearchVector } from '../search-text.ts'

const ENTRIES_PER_TRANSACTION = 1_000
const BYTES_PER_TRANSACTION = 8 * 1024 * 1024

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
      const { counters, rollups, failureGroups } = summarizeBatch(fresh, Date.now())
      await addToTotals(query, tables, counters)
      await addToRollups(query, tables, rollups)
      await addToFailureGroups(query, tables, failureGroups)
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
    if (batch.length > 0 && (batch.length === ENTRIES_PER_TRANSACTION || bytes > BYTES_PER_TRANSACTION)) {
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
    `INSERT INTO ${tables.executions} (${Object.keys(ITEM_COLUMNS).join(', ')}, search)
     SELECT * FROM unnest(${[...Object.values(ITEM_COLUMNS), 'tsvector'].map((type, i) => `$${i + 1}::${type}[]`).join(', ')})
     ON CONFLICT (execution_id) DO NOTHING RETURNING execution_id`,
    [...toItemColumns(entries.map(entry => entry.execution)), toArrayText(entries.map(searchVectorOf))]
  )
  const added = new Set(rows.map(row => row.execution_id))
  for (const id of await takeBackPruned(query, tables, [...added])) added.delete(id)
  return entries.filter(entry => added.has(toStorable(entry.execution.executionId)))
}

/**
 * What retention removed is not new. A statement of its own, which sees what was committed while the insertion waited for the row that
 * retention was removing.
 */
async function takeBackPruned(query: Query, tables: LedgerTables, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const { rows } = await query<{ execution_id: string }>(
    `DELETE FROM ${tables.executions} AS item USING ${tables.pruned} AS pruned
     WHERE pruned.execution_id = ANY($1::text[]) AND item.execution_id = pruned.execution_id RETURNING item.execution_id`, [ids]
  )
  return rows.map(row => row.execution_id)
}

function searchVectorOf({ execution, payload }: LedgerEntry): string {
  const { args, message } = keptText(payload)
  const error = execution.error && { ...execution.error, message: message ?? execution.error.message }
  return toSearchVector(searchableOf({ executionId: execution.executionId, taskName: execution.taskName, error }, args))
}

async function insertPayloads(query: Query, tables: LedgerTables, entries: readonly LedgerEntry[]): Promise<void> {
  const withPayload = entries.filter(entry => entry.payload !== null)
  if (withPayload.length === 0) return
  await query(
    `INSERT INTO ${tables.payloads} (execution_id, payload) SELECT * FROM unnest($1::text[], $2::text[]) ON CONFLICT DO NOTHING`,
    [toArrayText(withPayload.map(entry => toStorable(entry.execution.executionId))), toArrayText(withPayload.map(entry => entry.payload))]
  )
}

async function keepAttempts(query: Query, tables: LedgerTables, entries: readonly LedgerEntry[]): Promise<void> {
  const retried = entries.filter(entry => entry.execution.attempt > 1)
  if (retried.length === 0) return
  await query(
    `UPDATE ${tables.attempts} SET expires_at = NULL WHERE execution_id = ANY($1::text[])`,
    [retried.map(entry => toStorable(entry.execution.executionId))]
  )
}

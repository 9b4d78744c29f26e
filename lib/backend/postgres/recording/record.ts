import { inBatches } from '../../../collections/in-batches.ts'
import { SupersededError, type Fence } from '../../../stores/documents/fence.ts'
import { heldFence, toFenceParameters } from '../../../stores/documents/sql-documents.ts'
import { errorCodeOf } from '../../../stores/failures/error-code.ts'
import type { SqlStore } from '../../../stores/store.ts'
import { type LedgerEntry, keptText } from '../../entry/ledger-entry.ts'
import { type BatchSummary, summarizeBatch } from '../../counting/summarize-batch.ts'
import { searchableOf } from '../../search/searchable.ts'
import { toStorable } from '../../entry/storable-text.ts'
import { ITEM_COLUMNS, toArrayText, toItemColumns } from '../item.ts'
import { addToFailureGroups } from './record-failure-groups.ts'
import { addToRollups } from './record-rollups.ts'
import { addToTotals } from './record-totals.ts'
import type { LedgerTables } from '../schema.ts'
import { toSearchVector } from '../search-text.ts'

/** The most entries and payload characters of one transaction. */
const BATCHES = { most: 1_000, maxSize: 8 * 1024 * 1024, sizeOf: ({ payload }: LedgerEntry) => payload?.length ?? 0 }

/** The longest pause between two statements of a transaction. */
const FROZEN_AFTER_MS = 15_000

type Query = SqlStore['query']

/**
 * One transaction per batch: inserts new entries, then adds them to counters and roll-ups. Every statement locks rows in the order that all
 * writers share, so writers cannot deadlock.
 * @returns how many were new
 */
export async function recordEntries(
  store: SqlStore, tables: LedgerTables, entries: readonly LedgerEntry[], onlyWhile?: Fence
): Promise<number> {
  let added = 0
  for (const batch of inBatches(entries, BATCHES)) {
    added += await recordBatch(store, tables, batch, ALL_NEW, onlyWhile).catch((error: unknown) => {
      if (errorCodeOf(error) !== UNIQUE_VIOLATION) throw error
      return recordBatch(store, tables, batch, SOME_KNOWN, onlyWhile)
    })
  }
  return added
}

/**
 * Almost always the whole batch is new. A plain INSERT then costs the server a tenth less, because ON CONFLICT looks up each row twice. If
 * a row already exists, the INSERT fails, the transaction is rolled back, and the batch is recorded again with `SOME_KNOWN`.
 */
const ALL_NEW = ''
const SOME_KNOWN = 'ON CONFLICT DO NOTHING'
type OnConflict = typeof ALL_NEW | typeof SOME_KNOWN

const UNIQUE_VIOLATION = '23505'

function recordBatch(
  store: SqlStore, tables: LedgerTables, batch: readonly LedgerEntry[], onConflict: OnConflict, onlyWhile?: Fence
): Promise<number> {
  return store.transaction(async query => {
    if (onlyWhile !== undefined) await requireFence(store, query, onlyWhile)
    const { fresh, additions } = await insertItems(query, tables, batch, onConflict)
    if (fresh.length === 0) return 0
    await insertPayloads(query, tables, additions.payloads, onConflict)
    await keepAttempts(query, tables, fresh)
    await addToTotals(query, tables, additions.counters)
    await addToRollups(query, tables, additions.rollups)
    await addToFailureGroups(query, tables, additions.failureGroups)
    return fresh.length
  })
}

async function requireFence(store: SqlStore, query: Query, fence: Fence): Promise<void> {
  // The server ends the transaction of a process that is frozen in the middle of it, so that others do not wait for it.
  const { rows } = await query(
    `SELECT set_config('idle_in_transaction_session_timeout', '${FROZEN_AFTER_MS}', true) FROM (${heldFence(store.schema, 1)}) AS held`,
    toFenceParameters(fence)
  )
  if (rows.length === 0) throw new SupersededError()
}

/** What new entries add besides their rows in `executions`. */
interface Additions extends BatchSummary { readonly payloads: PayloadColumns | null }

function additionsOf(entries: readonly LedgerEntry[]): Additions {
  return { ...summarizeBatch(entries, Date.now()), payloads: toPayloadColumns(entries) }
}

interface Inserted { readonly fresh: readonly LedgerEntry[]; readonly additions: Additions }

async function insertItems(
  query: Query, tables: LedgerTables, entries: readonly LedgerEntry[], onConflict: OnConflict
): Promise<Inserted> {
  const inserting = insertRows(query, tables, entries, onConflict)
  // Awaited later. Avoid an unhandled rejection.
  inserting.catch(() => {})
  // Runs while the server inserts, assuming that the whole batch is new.
  const additions = additionsOf(entries)
  const added = await inserting
  const pruned = await takeBackPruned(query, tables, added)
  if (pruned.length === 0 && added.length === entries.length) return { fresh: entries, additions }

  const ids = new Set(added)
  for (const id of pruned) ids.delete(id)
  const fresh = entries.filter(entry => ids.has(toStorable(entry.execution.executionId)))
  return { fresh, additions: additionsOf(fresh) }
}

/** @returns ids of the rows that did not exist */
async function insertRows(
  query: Query, tables: LedgerTables, entries: readonly LedgerEntry[], onConflict: OnConflict
): Promise<readonly string[]> {
  const { rows } = await query<{ execution_id: string }>(
    `INSERT INTO ${tables.executions} (${Object.keys(ITEM_COLUMNS).join(', ')}, search)
     SELECT * FROM unnest(${[...Object.values(ITEM_COLUMNS), 'tsvector'].map((type, i) => `$${i + 1}::${type}[]`).join(', ')})
     ${onConflict === ALL_NEW ? '' : `${onConflict} RETURNING execution_id`}`,
    [...toItemColumns(entries.map(entry => entry.execution)), toArrayText(entries.map(searchVectorOf))]
  )
  return onConflict === ALL_NEW ? entries.map(entry => toStorable(entry.execution.executionId)) : rows.map(row => row.execution_id)
}

/**
 * Finds rows that retention has removed before, which are not new, and deletes them again. This needs a separate statement, which sees what
 * was committed while the INSERT waited for a row that retention was removing.
 */
async function takeBackPruned(query: Query, tables: LedgerTables, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const { rows } = await query<{ execution_id: string }>(
    `DELETE FROM ${tables.executions} AS item USING ${tables.pruned} AS pruned
     WHERE pruned.execution_id = ANY($1::text[]) AND item.execution_id = pruned.execution_id RETURNING item.execution_id`,
    [toArrayText(ids)]
  )
  return rows.map(row => row.execution_id)
}

function searchVectorOf({ execution, payload }: LedgerEntry): string {
  const { args, message } = keptText(payload)
  const error = execution.error && { ...execution.error, message: message ?? execution.error.message }
  return toSearchVector(searchableOf({ executionId: execution.executionId, taskName: execution.taskName, error }, args))
}

type PayloadColumns = readonly [ids: string, payloads: string]

/** Null when no entry has a payload. */
function toPayloadColumns(entries: readonly LedgerEntry[]): PayloadColumns | null {
  const withPayload = entries.filter(entry => entry.payload !== null)
  if (withPayload.length === 0) return null
  const ids = withPayload.map(entry => toStorable(entry.execution.executionId))
  return [toArrayText(ids), toArrayText(withPayload.map(entry => entry.payload))]
}

async function insertPayloads(query: Query, tables: LedgerTables, payloads: PayloadColumns | null, onConflict: OnConflict): Promise<void> {
  if (payloads === null) return
  await query(`INSERT INTO ${tables.payloads} (execution_id, payload) SELECT * FROM unnest($1::text[], $2::text[]) ${onConflict}`, payloads)
}

async function keepAttempts(query: Query, tables: LedgerTables, entries: readonly LedgerEntry[]): Promise<void> {
  const retried = entries.filter(entry => entry.execution.attempt > 1)
  if (retried.length === 0) return
  await query(
    `UPDATE ${tables.attempts} SET expires_at = NULL WHERE execution_id = ANY($1::text[])`,
    [retried.map(entry => toStorable(entry.execution.executionId))]
  )
}

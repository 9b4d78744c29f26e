import { SupersededError, type Fence } from '../../../stores/documents/fence.ts'
import { documentsKeyOf, toFenceArguments } from '../../../stores/documents/redis-documents.ts'
import type { RedisStore } from '../../../stores/store.ts'
import type { LedgerEntry } from '../../entry/ledger-entry.ts'
import { type BatchEntry, packBatch } from './pack-batch.ts'
import { toStoredRecord } from '../item.ts'
import { recordScript } from './record-script.ts'
import type { LedgerKeys } from '../schema.ts'

/** Redis is blocked while a script runs: one of this size takes a few milliseconds. */
const ENTRIES_PER_SCRIPT = 500
const CHARACTERS_PER_SCRIPT = 4 * 1024 * 1024

/**
 * Packs each batch as if everything in it were new, which is almost always true. If something is not, the script writes nothing and returns
 * its positions, and the rest is packed again.
 * @returns how many were new
 */
export async function recordEntries(
  store: RedisStore, keys: LedgerKeys, entries: readonly LedgerEntry[], onlyWhile?: Fence
): Promise<number> {
  const fence = onlyWhile && toFenceArguments(onlyWhile)
  const fenceKeys = onlyWhile ? [documentsKeyOf(store.keyPrefix, onlyWhile.collection)] : []
  let added = 0
  for (let batch of batchesOf(entries)) {
    while (batch.length > 0) {
      const packed = packBatch(batch, keys, Date.now(), fence)
      const known = new Set(await recordScript(store.client, [keys.executions, keys.absent, ...fenceKeys], packed) as number[])
      if (known.has(0)) throw new SupersededError()
      if (known.size === 0) {
        added += batch.length
        break
      }
      batch = batch.filter((_, i) => !known.has(i + 1))
    }
  }
  return added
}

function * batchesOf(entries: readonly LedgerEntry[]): Generator<BatchEntry[]> {
  let batch: BatchEntry[] = []
  let characters = 0
  for (const entry of entries) {
    const { record, payload } = toStoredRecord(entry)
    const length = record.length + (payload?.length ?? 0)
    characters += length
    if (batch.length > 0 && (batch.length === ENTRIES_PER_SCRIPT || characters > CHARACTERS_PER_SCRIPT)) {
      yield batch
      batch = []
      characters = length
    }
    batch.push({ entry, record, payload })
  }
  if (batch.length > 0) yield batch
}

import { inBatches } from '../../../collections/in-batches.ts'
import { SupersededError, type Fence } from '../../../stores/documents/fence.ts'
import { documentsKeyOf, toFenceArguments } from '../../../stores/documents/redis-documents.ts'
import type { RedisStore } from '../../../stores/store.ts'
import type { LedgerEntry } from '../../entry/ledger-entry.ts'
import { type BatchEntry, packBatch } from './pack-batch.ts'
import { toStoredRecord } from '../item.ts'
import { recordScript } from './record-script.ts'
import type { LedgerKeys } from '../schema.ts'

/** Redis is blocked while a script runs. A batch of this size takes a few milliseconds. */
const BATCHES = {
  most: 500, maxSize: 4 * 1024 * 1024, sizeOf: ({ record, payload }: BatchEntry) => record.length + (payload?.length ?? 0)
}

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
  for (let batch of inBatches(stored(entries), BATCHES)) {
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

/** A generator, so that only the records of one batch are in memory. */
function * stored(entries: readonly LedgerEntry[]): Generator<BatchEntry> {
  for (const entry of entries) yield { entry, ...toStoredRecord(entry) }
}

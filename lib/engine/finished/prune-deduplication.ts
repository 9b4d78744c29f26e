import { inChunks } from '../../collections/in-chunks.ts'
import type { SqlStore } from '../../stores/store.ts'

const KEYS_AT_A_TIME = 1_000
const QUEUES_AT_A_TIME = 500
/** Steps per pass; the next pass continues. */
const MAX_STEPS = 50

/** Removes expired deduplication keys. Redis expires them itself, but in BullMQ's tables an expired key stays until it is used again. */
export async function pruneDeduplication(
  store: Pick<SqlStore, 'query' | 'schema'>, queueNames: readonly string[], now: number
): Promise<void> {
  const table = `"${store.schema}_queue".dedup`
  let steps = 0
  for (const names of inChunks(queueNames, QUEUES_AT_A_TIME)) {
    for (let removed = KEYS_AT_A_TIME; removed === KEYS_AT_A_TIME && steps < MAX_STEPS; steps++) {
      const { rowCount } = await store.query(
        `DELETE FROM ${table} WHERE (queue, dedup_id) IN
           (SELECT queue, dedup_id FROM ${table} WHERE queue = ANY($1::text[]) AND expire_at_ms IS NOT NULL
             AND expire_at_ms <= $2::bigint LIMIT ${KEYS_AT_A_TIME})
         AND expire_at_ms <= $2::bigint`, [names, now])
      removed = rowCount ?? 0
    }
  }
}

import type { RedisStore } from '../../../stores/store.ts'
import { inChunks } from '../../../collections/in-chunks.ts'
import { recordFromStored } from '../item.ts'
import { packId } from '../packed-id.ts'
import type { LedgerKeys } from '../schema.ts'
import { REMOVED_PER_SCRIPT, removeExecutions } from './remove-executions.ts'

/** Records never change, so what was read stays right until they are removed. */
export async function deleteExecutions(store: RedisStore, keys: LedgerKeys, executionIds: readonly string[]): Promise<string[]> {
  const deleted: string[] = []
  for (const ids of inChunks([...new Set(executionIds)], REMOVED_PER_SCRIPT)) {
    const stored = await store.client.hmget(keys.executions, ...ids.map(packId))
    const found = ids.flatMap((id, i) => typeof stored[i] === 'string' ? recordFromStored(id, stored[i]).item : [])
    if (found.length === 0) continue
    const nowMs = await store.now()
    const removed = await removeExecutions(store, keys, found, { rememberedAt: found.map(each => Math.max(each.finishedAt, nowMs)) })
    deleted.push(...removed.map(each => each.executionId))
  }
  return deleted
}

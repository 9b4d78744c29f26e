import type { RedisStore } from '../../stores/store.ts'
import { inChunks } from '../../collections/in-chunks.ts'
import { fromStorable, toStorable } from '../entry/storable-text.ts'
import type { LedgerKeys } from './schema.ts'

export async function readWatermarks({ client }: RedisStore, keys: LedgerKeys): Promise<Map<string, number>> {
  const stored = await client.hgetall(keys.watermarks)
  return new Map(Object.entries(stored).map(([name, finishedAt]) => [fromStorable(name), Number(finishedAt)]))
}

export async function saveWatermarks({ client }: RedisStore, keys: LedgerKeys, changed: ReadonlyMap<string, number | null>): Promise<void> {
  const entries = Array.from(changed, ([taskName, finishedAt]) => [toStorable(taskName), finishedAt] as const)
  for (const chunk of inChunks(entries, 1_000)) {
    const gone = chunk.flatMap(([name, finishedAt]) => finishedAt === null ? [name] : [])
    const saved = chunk.flatMap(([name, finishedAt]) => finishedAt === null ? [] : [name, finishedAt])
    if (saved.length > 0) await client.hset(keys.watermarks, ...saved)
    if (gone.length > 0) await client.hdel(keys.watermarks, ...gone)
  }
}

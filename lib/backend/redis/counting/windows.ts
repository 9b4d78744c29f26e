import type { RedisStore } from '../../../stores/store.ts'
import type { HourOfTasks } from '../../counting/by-task.ts'
import type { RollupCaches } from '../../counting/rollup-cache.ts'
import { OVERALL, type PackedTally } from '../../counting/tally.ts'
import { fromStorable } from '../../entry/storable-text.ts'
import { type LedgerKeys, VERSION_FIELD } from '../schema.ts'
import { CHANGED, SAME, numbersFrom, readChanged, tallyFromStored } from './rollups.ts'

export async function readHours(
  store: RedisStore, keys: LedgerKeys, caches: RollupCaches, first: number, end: number
): Promise<HourOfTasks[]> {
  const names = numbersFrom(first, end).map(hour => keys.rollup('hour', hour))
  const known = names.map(name => caches.byTask.get(name))
  const { states } = await readChanged(store, keys, { key: keys.rollup('hour', ''), first, end, known })
  const changed = names.filter((_, i) => states[i] === CHANGED)
  const pipeline = store.client.pipeline()
  for (const name of changed) pipeline.hgetallBuffer(name)
  const read = new Map<string, ReadonlyMap<string, PackedTally>>()
  for (const [i, [error, stored]] of (changed.length === 0 ? [] : await pipeline.exec() ?? []).entries()) {
    if (error) throw error
    const { [OVERALL]: _overall, [VERSION_FIELD]: version, ...tasks } = stored as Record<string, Buffer>
    const value = new Map(Object.entries(tasks).map(([task, text]) => [fromStorable(task), tallyFromStored(text)]))
    read.set(changed[i]!, value)
    if (version !== undefined) caches.byTask.set(changed[i]!, { version: version.toString('latin1'), value })
  }
  return names.map((name, i) => read.get(name) ?? (states[i] === SAME ? known[i]!.value : undefined))
}

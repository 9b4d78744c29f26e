import { inChunks } from '../../../collections/in-chunks.ts'
import type { RedisStore } from '../../../stores/store.ts'
import type { KeptHistory } from '../../result-backend.ts'
import { DURATION_CLASSES } from '../duration-class.ts'
import type { LedgerKeys } from '../schema.ts'
import { createScript } from '../script.ts'

export async function readKept(store: RedisStore, keys: LedgerKeys): Promise<KeptHistory> {
  const { oldestCancelled: _, ...kept } = await readKeptLists(store, keys)
  return kept
}

export async function readKeptLists(
  store: RedisStore, keys: LedgerKeys
): Promise<KeptHistory & { readonly oldestCancelled: number | null }> {
  const lists = ['success', 'failed', 'cancelled'].flatMap(status => DURATION_CLASSES.map(each => keys.byStatus(status, each)))
  const [success, oldestSuccess, failed, oldestFailed, , oldestCancelled, prunedBefore] = await keptScript(
    store.client, [keys.totals, ...lists], {}
  ) as [number, Buffer, number, Buffer, number, Buffer, Buffer | null]
  const toTime = (text: Buffer | null) => text === null || text.length === 0 ? null : Number(text)
  return {
    success: { count: success, oldestFinishedAt: toTime(oldestSuccess) },
    failed: { count: failed, oldestFinishedAt: toTime(oldestFailed) },
    oldestCancelled: toTime(oldestCancelled),
    prunedBefore: toTime(prunedBefore)
  }
}

const keptScript = createScript(`
local answer = {}
for status = 0, 2 do
  local count, oldest = 0, nil
  for i = 2 + status * ${DURATION_CLASSES.length}, 1 + (status + 1) * ${DURATION_CLASSES.length} do
    count = count + redis.call('ZCARD', KEYS[i])
    local first = redis.call('ZRANGE', KEYS[i], 0, 0, 'WITHSCORES')[2]
    if first and (not oldest or tonumber(first) < tonumber(oldest)) then oldest = first end
  end
  answer[#answer + 1], answer[#answer + 2] = count, oldest or ''
end
answer[7] = redis.call('HGET', KEYS[1], 'prunedBefore')
return answer
`)

/** Redis is blocked while the script runs, and each task has twenty lists. */
const TASKS_PER_SCRIPT = 100

export async function readKeptOf(store: RedisStore, keys: LedgerKeys, taskNames: readonly string[]): Promise<KeptHistory> {
  const kept = await Promise.all((['success', 'failed'] as const).map(async status => {
    const parts = await Promise.all(Array.from(inChunks(taskNames, TASKS_PER_SCRIPT), chunk => {
      const lists = chunk.flatMap(task => DURATION_CLASSES.map(each => keys.byTask(status, each, task)))
      return keptOfListsScript(store.client, lists, {}) as Promise<[number, Buffer]>
    }))
    const oldest = parts.flatMap(([, text]) => text.length === 0 ? [] : Number(text))
    return {
      count: parts.reduce((sum, [count]) => sum + count, 0), oldestFinishedAt: oldest.length === 0 ? null : Math.min(...oldest)
    }
  }))
  const prunedBefore = await store.client.hget(keys.totals, 'prunedBefore')
  return { success: kept[0]!, failed: kept[1]!, prunedBefore: prunedBefore === null ? null : Number(prunedBefore) }
}

const keptOfListsScript = createScript(`
local count, oldest = 0, nil
for _, key in ipairs(KEYS) do
  count = count + redis.call('ZCARD', key)
  local first = redis.call('ZRANGE', key, 0, 0, 'WITHSCORES')[2]
  if first and (not oldest or tonumber(first) < tonumber(oldest)) then oldest = first end
end
return { count, oldest or '' }
`)

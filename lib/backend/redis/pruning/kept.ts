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

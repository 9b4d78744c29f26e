import type { FinishedExecution } from '../../../execution.ts'
import type { RedisStore } from '../../../stores/store.ts'
import { isKey, NO_PAYLOAD, toFinishedExecution } from '../../entry/ledger-entry.ts'
import { readAttempts } from '../recording/attempts.ts'
import { recordFromStored } from '../item.ts'
import { packId } from '../packed-id.ts'
import type { LedgerKeys } from '../schema.ts'
import { createScript } from '../script.ts'

export async function findExecution(store: RedisStore, keys: LedgerKeys, executionId: string): Promise<FinishedExecution | null> {
  const field = packId(executionId)
  const [stored, payload, attempts] = await Promise.all([
    store.client.hget(keys.executions, field),
    store.client.hget(keys.payloads, field),
    readAttempts(store, keys, field)
  ])
  if (stored === null) return null
  const record = recordFromStored(executionId, stored)
  return toFinishedExecution(record.item, record.payload ?? payload, attempts)
}

/** See `ResultBackend.findMany`. */
export async function findExecutions(
  { client }: RedisStore, keys: LedgerKeys, executionIds: readonly string[], { payloads: isWhole = true } = {}
): Promise<FinishedExecution[]> {
  const ids = executionIds.filter(isKey)
  if (ids.length === 0) return []
  const fields = ids.map(packId)
  const [records, payloads] = await Promise.all([
    client.hmget(keys.executions, ...fields), isWhole ? client.hmget(keys.payloads, ...fields) : []
  ])
  return ids.flatMap((executionId, index) => {
    const stored = records[index]
    if (stored === null || stored === undefined) return []
    const record = recordFromStored(executionId, stored)
    return [toFinishedExecution(record.item, isWhole ? record.payload ?? payloads[index] ?? null : NO_PAYLOAD, [])]
  })
}

/** Ids that the history does not accept do not count as missing: no one should try to record them again. */
export async function missingOf(store: RedisStore, keys: LedgerKeys, executionIds: readonly string[]): Promise<string[]> {
  const recordable = executionIds.filter(isKey)
  if (recordable.length === 0) return []
  const found = await existScript(store.client, [keys.executions, keys.pruned], { ids: recordable.map(packId) }) as number[]
  return recordable.filter((_, i) => found[i] === 0)
}

const existScript = createScript(`
local found = {}
local anyPruned = redis.call('EXISTS', KEYS[2]) == 1
for i, id in ipairs(given.ids) do
  found[i] = redis.call('HEXISTS', KEYS[1], id)
  if found[i] == 0 and anyPruned and redis.call('ZSCORE', KEYS[2], id) then found[i] = 1 end
end
return found
`)

import type { Test } from 'tap'
import { createResultBackend } from '../../../lib/backend/create-result-backend.ts'
import type { ResultBackend } from '../../../lib/backend/result-backend.ts'
import { type LedgerKeys, ledgerKeys } from '../../../lib/backend/redis/schema.ts'
import { createStore } from '../../../lib/stores/create-store.ts'
import type { RedisStore } from '../../../lib/stores/store.ts'
import { redisUrl, testNamespace } from '../../support/servers/stores.ts'

export async function openRedisStore(t: Test, url: string): Promise<RedisStore> {
  const store = createStore(url, { namespace: testNamespace(), role: 'result backend', onError() {} })
  t.teardown(() => store.stop())
  await store.start()
  return store as RedisStore
}

/** A started ledger in an empty Redis database. */
export async function openRedisBackend(t: Test): Promise<{ store: RedisStore; backend: ResultBackend; keys: LedgerKeys }> {
  const store = await openRedisStore(t, await redisUrl(t))
  const backend = createResultBackend(store)
  await backend.start()
  return { store, backend, keys: ledgerKeys(store) }
}

import t, { type Test } from 'tap'
import { createStore } from '../../../lib/stores/create-store.ts'
import { outageContract, resultBackendContract } from '../../contracts/result-backend.ts'
import { redisUrl, startRedis, testNamespace } from '../../support/stores.ts'

async function openStore(t: Test, url: string) {
  const store = createStore(url, { namespace: testNamespace(), role: 'result backend', onError() {} })
  t.teardown(() => store.stop())
  await store.start()
  return store
}

resultBackendContract(t, async t => openStore(t, await redisUrl(t)))
outageContract(t, async t => {
  const server = await startRedis(t)
  return { store: await openStore(t, server.url), server }
})

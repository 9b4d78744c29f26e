import t, { type Test } from 'tap'
import { createStore } from '../../../lib/stores/create-store.ts'
import { outageContract, resultBackendContract } from '../../contracts/result-backend.ts'
import { postgresUrl, startPostgres, testNamespace } from '../../support/stores.ts'

async function openStore(t: Test, url: string) {
  const store = createStore(url, { namespace: testNamespace(), role: 'result backend', onError() {} })
  t.teardown(() => store.stop())
  await store.start()
  return store
}

resultBackendContract(t, async t => openStore(t, await postgresUrl(t)))
outageContract(t, async t => {
  const server = await startPostgres(t)
  return { store: await openStore(t, server.url), server }
})

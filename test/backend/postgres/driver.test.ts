import t, { type Test } from 'tap'
import { createResultBackend } from '../../../lib/backend/create-result-backend.ts'
import { LEDGER } from '../../../lib/backend/postgres/schema.ts'
import { createStore } from '../../../lib/stores/create-store.ts'
import { migrate } from '../../../lib/stores/postgres/migrate.ts'
import type { SqlStore } from '../../../lib/stores/store.ts'
import { outageContract, resultBackendContract } from '../../contracts/result-backend.ts'
import { makeExecution } from '../make-execution.ts'
import { postgresUrl, startPostgres, testNamespace } from '../../support/servers/stores.ts'

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

t.test('concurrent starts migrate tables of an older version once, and tables of a newer version are refused', async t => {
  const url = await postgresUrl(t)
  const store = await openStore(t, url)
  await migrate(store as SqlStore, { ...LEDGER, steps: LEDGER.steps.slice(0, 1) })
  await Promise.all(Array.from({ length: 5 }, () => createResultBackend(store).start()))
  const backend = createResultBackend(store)
  await backend.start()
  const execution = makeExecution({ retryOf: 'origin' })
  t.equal(await backend.record([execution]), 1)
  t.equal((await backend.retriesOf('origin')).length, 1)
  await (store as SqlStore).query(`INSERT INTO "${(store as SqlStore).schema}".migrations (component, step) VALUES ('result-backend', 99)`)
  await t.rejects(createResultBackend(store).start(), { code: 'STORE_UNSUITABLE', message: /at step 99, made by a newer version/ })
})

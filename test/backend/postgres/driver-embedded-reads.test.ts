import t from 'tap'
import { createStore } from '../../../lib/stores/create-store.ts'
import { readsContract } from '../../contracts/result-backend.ts'
import { testNamespace } from '../../support/servers/stores.ts'

readsContract(t, async t => {
  const store = createStore('embedded:', { namespace: testNamespace(), role: 'result backend', onError() {} })
  t.teardown(() => store.stop())
  await store.start()
  return store
})

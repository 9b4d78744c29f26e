import type { Test } from 'tap'
import { createResultBackend } from '../../../lib/backend/create-result-backend.ts'
import { createStore } from '../../../lib/stores/create-store.ts'
import { testNamespace } from '../../support/servers/stores.ts'

export async function openHistory(t: Test, url: string) {
  const store = createStore(url, { namespace: testNamespace(), role: 'broker', onError() {} })
  t.teardown(() => store.stop())
  await store.start()
  const backend = createResultBackend(store)
  await backend.start()
  return { store, backend }
}

import type { Test } from 'tap'
import { createResultBackend } from '../../../lib/backend/create-result-backend.ts'
import type { RecordingSettings, ResultBackend } from '../../../lib/backend/result-backend.ts'
import type { Store } from '../../../lib/stores/store.ts'
import { testNamespace } from '../../support/servers/stores.ts'

/** Opens an empty store. */
export type OpenStore = (t: Test) => Promise<Store>

/** A started backend in its own namespace of the store. */
export async function freshBackend(store: Store, settings?: RecordingSettings): Promise<ResultBackend> {
  const backend = createResultBackend(namespacedStore(store), settings)
  await backend.start()
  return backend
}

export function namespacedStore(store: Store): Store {
  const namespace = testNamespace()
  return Object.create(store, { schema: { value: namespace }, keyPrefix: { value: `{${namespace}}` } }) as Store
}

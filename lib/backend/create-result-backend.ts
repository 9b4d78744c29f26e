import type { Store } from '../stores/store.ts'
import { withDeadlines } from './deadlines.ts'
import { createRedisDriver } from './redis/driver.ts'
import type { RecordingSettings, ResultBackend } from './result-backend.ts'
import { createSqlDriver } from './postgres/driver.ts'

/** The result backend in a store. The owner of the store opens it before and closes it after. */
export function createResultBackend(store: Store, settings: RecordingSettings = {}): ResultBackend {
  const driver = store.kind === 'redis' ? createRedisDriver(store, settings) : createSqlDriver(store, settings)
  return withDeadlines(driver, store.patienceMs)
}

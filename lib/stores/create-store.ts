import { createTaskDashboardError } from '../errors.ts'
import { createEmbeddedStore } from './embedded/embedded-store.ts'
import { createPostgresStore } from './postgres/postgres-store.ts'
import { createRedisStore } from './redis/redis-store.ts'
import { parseStoreSource, type StoreSource } from './source/parse-store-source.ts'
import type { Store, StoreOptions } from './store.ts'

/**
 * Creates a store without opening it. Checks everything that can be checked before it is opened. Throws UNKNOWN_URL_SCHEME or
 * INVALID_OPTIONS.
 */
export function createStore(where: StoreSource, options: StoreOptions): Store {
  if (!/^[A-Za-z_][A-Za-z0-9_]{0,39}$/.test(options.namespace)) {
    throw createTaskDashboardError(
      'INVALID_OPTIONS', ['namespace must have 1 to 40 letters, digits or _, and must not start with a digit']
    )
  }
  const source = parseStoreSource(where, options.role)
  switch (source.kind) {
    case 'redis': return createRedisStore(source, options)
    case 'postgres': return createPostgresStore(source, options)
    case 'embedded': return createEmbeddedStore(source, options)
  }
}

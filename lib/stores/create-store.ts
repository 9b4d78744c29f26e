import { createTaskDashboardError } from '../errors.ts'
import { createEmbeddedStore } from './embedded/embedded-store.ts'
import { createPostgresStore } from './postgres-store.ts'
import { createRedisStore } from './redis-store.ts'
import { parseStoreUrl } from './store-url.ts'
import type { Store, StoreOptions } from './store.ts'

/**
 * A store for a URL, not open yet. Throws UNKNOWN_URL_SCHEME or INVALID_OPTIONS; everything that can be known without
 * opening it is checked here.
 */
export function createStore(url: string, options: StoreOptions): Store {
  if (!/^[A-Za-z_][A-Za-z0-9_]{0,39}$/.test(options.namespace)) {
    throw createTaskDashboardError('INVALID_OPTIONS', ['namespace takes letters, digits and _, does not start with a digit and has at most 40 characters'])
  }
  const storeUrl = parseStoreUrl(url, options.role)
  switch (storeUrl.kind) {
    case 'redis': return createRedisStore(storeUrl, options)
    case 'postgres': return createPostgresStore(storeUrl, options)
    case 'embedded': return createEmbeddedStore(storeUrl, options)
  }
}

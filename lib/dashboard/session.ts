import type { Access } from './access-hook.ts'
import type { SessionReader } from './decorators.ts'
import type { ResolvedOptions } from './options.ts'
import { VERSION } from './version.ts'

/** Who is asking and what they may do, for the interface. */
export function createSessionReader(options: ResolvedOptions, access: Access): SessionReader {
  return async (request) => ({
    // Whoever got here with basic auth on gave this name.
    user: options.auth?.username ?? null,
    actions: await access.permitted(request),
    read_only: options.readOnly,
    title: options.title,
    environment: options.environment,
    version: VERSION,
    broker: options.monitoring.stores.broker,
    backend: options.monitoring.stores.backend,
    supports: { search: options.monitoring.supports.search }
  })
}

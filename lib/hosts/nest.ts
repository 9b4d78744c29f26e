import { createBlueprint } from './blueprint.ts'
import type { HostedQueueApp, HostOptions } from './options.ts'
import { createRouter } from './router.ts'

export { hostRequestOf } from './host-request.ts'
export type { HostedQueueApp, HostOptions } from './options.ts'

/** What is used of a Nest application. */
interface NestApplication {
  use(path: string, handler: unknown): unknown
  getHttpAdapter(): { getType(): string; getInstance(): unknown }
}

interface FastifyHost { register(plugin: unknown, options: object): unknown }

/**
 * Mounts the dashboard in a Nest application on Express or on Fastify, before `app.listen()`:
 * `await mountDashboard(app, queueApp, { prefix: '/tasks' })`. Guards of Nest see none of its requests. Rejects with INVALID_OPTIONS.
 */
export async function mountDashboard(app: NestApplication, queueApp: HostedQueueApp, { prefix = '/', ...options }: HostOptions = {}): Promise<void> {
  const adapter = app.getHttpAdapter()
  if (adapter.getType() !== 'fastify') {
    app.use(prefix, createBlueprint(queueApp, options))
    return
  }
  // Logger and hooks are Nest's own there.
  const { logger: _logger, configure: _configure, ...routerOptions } = options
  await (adapter.getInstance() as FastifyHost).register(createRouter(queueApp, routerOptions), { prefix })
}

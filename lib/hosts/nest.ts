import { createBlueprint } from './blueprint.ts'
import { checkHostOptions, type HostedQueueApp, type HostOptions } from './options.ts'
import { createRouter } from './router.ts'

export { hostRequestOf } from './bridges/host-request.ts'
export type { HostedQueueApp, HostOptions } from './options.ts'

/** The parts of a Nest application that we use. */
interface NestApplication {
  use(path: string, handler: unknown): unknown
  getHttpAdapter(): { getType(): string; getInstance(): unknown }
}

interface FastifyHost { register(plugin: unknown, options: object): unknown }

/**
 * Mounts the dashboard in a Nest application on Express or on Fastify, before `app.listen()`:
 * `await mountDashboard(app, queueApp, { prefix: '/tasks' })`. Nest's guards do not apply to its requests. Rejects with INVALID_OPTIONS.
 */
export async function mountDashboard(app: NestApplication, queueApp: HostedQueueApp, options: HostOptions = {}): Promise<void> {
  const adapter = app.getHttpAdapter()
  const isFastify = adapter.getType() === 'fastify'
  checkHostOptions(queueApp, options, isFastify ? FASTIFY_HAS_ITS_OWN : {})
  const { prefix = '/', ...rest } = options
  if (isFastify) await (adapter.getInstance() as FastifyHost).register(createRouter(queueApp, rest), { prefix })
  else app.use(prefix, createBlueprint(queueApp, rest))
}

const FASTIFY_HAS_ITS_OWN = {
  logger: 'on Fastify, the dashboard uses the log of your application',
  configure: 'on Fastify, add hooks and routes to your application itself'
}

import { createFetchHandler, type FetchHandler } from './bridges/fetch-handler.ts'
import type { HostedQueueApp, HostOptions } from './options.ts'
import { createPrivateFastify } from './bridges/private-fastify.ts'

export { hostRequestOf } from './bridges/host-request.ts'
export type { HostedQueueApp, HostOptions } from './options.ts'

export interface RouteHandlers extends Record<'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS', FetchHandler> {
  /** Answers 503 from now on. The queue app goes on, unless `stopOnClose` is set. Idempotent. */
  close(): Promise<void>
}

/**
 * Route handlers of Next.js, for `app/tasks/[[...path]]/route.ts`:
 * `export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = createRouteHandlers(queueApp, { prefix: '/tasks', auth })`.
 * A Web `Request` has no socket, so nobody is local: set `auth`, `authorize` or `access`. Throws INVALID_OPTIONS.
 */
export function createRouteHandlers(queueApp: HostedQueueApp, options?: HostOptions): RouteHandlers {
  const app = createPrivateFastify(queueApp, options)
  // It takes `Content-Encoding` off an answer, and compresses by itself.
  const handle = createFetchHandler(app, { compresses: false })
  // Next.js passes a context, too.
  const handler: FetchHandler = request => handle(request)
  return { GET: handler, HEAD: handler, POST: handler, PUT: handler, PATCH: handler, DELETE: handler, OPTIONS: handler, close: app.close }
}

import { createFetchHandler, type FetchHandler } from './bridges/fetch-handler.ts'
import type { HostedQueueApp, HostOptions } from './options.ts'
import { createPrivateFastify } from './bridges/private-fastify.ts'

export { hostRequestOf } from './bridges/host-request.ts'
export type { HostedQueueApp, HostOptions } from './options.ts'

export interface RouteHandlers extends Record<'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS', FetchHandler> {
  /** Answers every further request with 503. Does not stop the queue app, unless `stopOnClose` is set. Idempotent. */
  close(): Promise<void>
}

/**
 * Route handlers for Next.js, in `app/tasks/[[...path]]/route.ts`:
 * `export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = createRouteHandlers(queueApp, { prefix: '/tasks', auth })`.
 * A Web `Request` has no socket, so no request counts as local: set `auth`, `authorize` or `access`. Throws INVALID_OPTIONS.
 */
export function createRouteHandlers(queueApp: HostedQueueApp, options?: HostOptions): RouteHandlers {
  const app = createPrivateFastify(queueApp, options)
  // Next.js removes `Content-Encoding` from a response and compresses it itself.
  const handle = createFetchHandler(app, { compresses: false })
  // Next.js also passes a context.
  const handler: FetchHandler = request => handle(request)
  return { GET: handler, HEAD: handler, POST: handler, PUT: handler, PATCH: handler, DELETE: handler, OPTIONS: handler, close: app.close }
}

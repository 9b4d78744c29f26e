import { apiAddresses } from '../dashboard/resources/api-addresses.ts'
import { createFetchHandler, type FetchHandler } from './bridges/fetch-handler.ts'
import type { HostedQueueApp, HostOptions } from './options.ts'
import { createPrivateFastify } from './bridges/private-fastify.ts'

/** One route in the list. */
export interface DashboardUrl {
  readonly method: string
  /** Includes the prefix. `:name` is one segment, `*` the rest of the path. */
  readonly path: string
  readonly handler: FetchHandler
}

/** The routes, in matching order: use the first match. */
export type DashboardUrls = readonly DashboardUrl[] & {
  /** Every later request gets 503. Does not stop the queue app, unless `stopOnClose` is set. Idempotent. */
  close(): Promise<void>
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

/**
 * The dashboard as a list of routes, for hosts that take one. Each handler takes a Web `Request` and returns a `Response`. The list has
 * every endpoint of the API first. The rest are catch-all routes for all other paths below the prefix, one per method: pages, assets and
 * refusals. A Web `Request` has no socket, so no request counts as local: set `auth`, `authorize` or `access`. Throws INVALID_OPTIONS.
 */
export function getUrls(queueApp: HostedQueueApp, options?: HostOptions): DashboardUrls {
  const app = createPrivateFastify(queueApp, options)
  const handler = createFetchHandler(app)
  const endpoints = apiAddresses().flatMap(({ method, path }) =>
    (method === 'GET' ? ['GET', 'HEAD'] : [method]).map(each => ({ method: each, path })))
  const rest = ['', '/*'].flatMap(path => METHODS.map(method => ({ method, path })))
  const urls = [...endpoints, ...rest].map(({ method, path }) => Object.freeze({ method, path: app.prefix + path || '/', handler }))
  return Object.assign(urls, { close: app.close })
}

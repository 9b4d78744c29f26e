import { apiAddresses } from '../dashboard/resources/api-addresses.ts'
import { createFetchHandler, type FetchHandler } from './bridges/fetch-handler.ts'
import type { HostedQueueApp, HostOptions } from './options.ts'
import { createPrivateFastify } from './bridges/private-fastify.ts'

/** One line of a host's list of URLs. */
export interface DashboardUrl {
  readonly method: string
  /** With the prefix. `:name` is one segment, `*` the rest of the path. */
  readonly path: string
  readonly handler: FetchHandler
}

/** In the order in which they are to be tried. */
export type DashboardUrls = readonly DashboardUrl[] & {
  /** Answers 503 from now on. The queue app goes on, unless `stopOnClose` is set. Idempotent. */
  close(): Promise<void>
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

/**
 * The dashboard as a list, for hosts that are configured by one: each handler takes a Web `Request` and answers with a
 * `Response`. First every endpoint of the API; then, for pages, assets and what is refused, every method of every address
 * below the prefix. A Web `Request` has no socket, so nobody is local: set `auth`, `authorize` or `access`. Throws INVALID_OPTIONS.
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

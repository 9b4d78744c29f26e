import type { IncomingMessage, ServerResponse } from 'node:http'
import { passToFastify } from './bridges/node-handler.ts'
import type { HostedQueueApp, HostOptions } from './options.ts'
import { createPrivateFastify } from './bridges/private-fastify.ts'

export { hostRequestOf } from './bridges/host-request.ts'
export type { HostedQueueApp, HostOptions } from './options.ts'

/** The parts of Hapi's request and toolkit that we use. */
interface HapiRequest { readonly raw: { readonly req: IncomingMessage; readonly res: ServerResponse } }
interface HapiToolkit { readonly abandon: symbol }

export interface HapiRoute {
  readonly method: '*'
  readonly path: string
  readonly options: { readonly payload: { readonly parse: false; readonly output: 'stream'; readonly maxBytes: number } }
  handler(request: HapiRequest, toolkit: HapiToolkit): Promise<symbol>
}

export type HapiRoutes = HapiRoute[] & {
  /** Every later request gets 503. Does not stop the queue app, unless `stopOnClose` is set. Idempotent. */
  close(): Promise<void>
}

/** Routes for Hapi: `server.route(getUrls(queueApp, { prefix: '/tasks' }))`. Throws INVALID_OPTIONS. */
export function getUrls(queueApp: HostedQueueApp, options?: HostOptions): HapiRoutes {
  const app = createPrivateFastify(queueApp, options)

  const route: HapiRoute = {
    method: '*',
    path: `${app.prefix}/{any*}`,
    // The dashboard reads and limits the body itself.
    options: { payload: { parse: false, output: 'stream', maxBytes: Number.MAX_SAFE_INTEGER } },
    async handler(request, toolkit) {
      const { req, res } = request.raw
      if (!await passToFastify(app, req, res, { request })) res.writeHead(404, { 'content-length': 0 }).end()
      return toolkit.abandon
    }
  }
  return Object.assign([route], { close: app.close })
}

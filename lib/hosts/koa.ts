import type { ServerResponse } from 'node:http'
import { passToFastify } from './bridges/node-handler.ts'
import type { NodeRequest } from './bridges/node-types.ts'
import type { HostedQueueApp, HostOptions } from './options.ts'
import { createPrivateFastify } from './bridges/private-fastify.ts'

export { hostRequestOf } from './bridges/host-request.ts'
export type { HostedQueueApp, HostOptions } from './options.ts'

/** The parts of Koa's context that we use. */
interface Context {
  readonly req: NodeRequest
  readonly res: ServerResponse
  readonly originalUrl: string
  readonly request: object
  respond?: boolean
}

export interface KoaBlueprint {
  (context: Context, next: () => Promise<unknown>): Promise<void>
  /** Answers every further request with 503. Does not stop the queue app, unless `stopOnClose` is set. Idempotent. */
  close(): Promise<void>
}

/**
 * A Koa middleware: `app.use(createBlueprint(queueApp, { prefix: '/tasks' }))`, or inside koa-mount without a prefix. Requests outside the
 * prefix go to the next middleware. Throws INVALID_OPTIONS.
 */
export function createBlueprint(queueApp: HostedQueueApp, options?: HostOptions): KoaBlueprint {
  const app = createPrivateFastify(queueApp, options)

  async function handle(context: Context, next: () => Promise<unknown>): Promise<void> {
    const { req, res } = context
    const { body, rawBody } = context.request as { body?: unknown; rawBody?: unknown }
    // koa-mount strips the mount from `url`; only the context keeps the whole URL.
    req.originalUrl ??= context.originalUrl
    const presetStatus = res.statusCode
    // Koa starts with status 404, which Fastify would keep.
    res.statusCode = 200
    const closed = new Promise(resolve => res.once('close', resolve))
    if (!await passToFastify(app, req, res, { request: context, body: rawBody ?? body })) {
      res.statusCode = presetStatus
      await next()
      return
    }
    context.respond = false
    // Earlier Koa middleware continues once the response is sent.
    await closed
  }

  return Object.assign(handle, { close: app.close })
}

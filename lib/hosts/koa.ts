import type { ServerResponse } from 'node:http'
import { passToFastify } from './bridges/node-handler.ts'
import type { NodeRequest } from './bridges/node-types.ts'
import type { HostedQueueApp, HostOptions } from './options.ts'
import { createPrivateFastify } from './bridges/private-fastify.ts'

export { hostRequestOf } from './bridges/host-request.ts'
export type { HostedQueueApp, HostOptions } from './options.ts'

/** What is used of Koa's context. */
interface Context {
  readonly req: NodeRequest
  readonly res: ServerResponse
  readonly originalUrl: string
  readonly request: object
  respond?: boolean
}

export interface KoaBlueprint {
  (context: Context, next: () => Promise<unknown>): Promise<void>
  /** Answers 503 from now on. The queue app goes on, unless `stopOnClose` is set. Idempotent. */
  close(): Promise<void>
}

/**
 * A Koa middleware: `app.use(createBlueprint(queueApp, { prefix: '/tasks' }))`, or below koa-mount without a prefix. Addresses that are
 * not below the prefix go to the next middleware. Throws INVALID_OPTIONS.
 */
export function createBlueprint(queueApp: HostedQueueApp, options?: HostOptions): KoaBlueprint {
  const app = createPrivateFastify(queueApp, options)

  async function handle(context: Context, next: () => Promise<unknown>): Promise<void> {
    const { req, res } = context
    const { body, rawBody } = context.request as { body?: unknown; rawBody?: unknown }
    // koa-mount takes the mount off `url` and leaves the whole of it in the context alone.
    req.originalUrl ??= context.originalUrl
    const presetStatus = res.statusCode
    // Koa begins with 404, which Fastify would keep.
    res.statusCode = 200
    const closed = new Promise(resolve => res.once('close', resolve))
    if (!await passToFastify(app, req, res, { request: context, body: rawBody ?? body })) {
      res.statusCode = presetStatus
      await next()
      return
    }
    context.respond = false
    // Koa's own middleware before us goes on when the answer was sent.
    await closed
  }

  return Object.assign(handle, { close: app.close })
}

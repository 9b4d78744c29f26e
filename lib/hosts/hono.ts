import type { ServerResponse } from 'node:http'
import { pathOf } from '../dashboard/http/routes/address.ts'
import { createFetchHandler } from './bridges/fetch-handler.ts'
import { matchedPrefix } from './paths/mount-path.ts'
import { passToFastify } from './bridges/node-handler.ts'
import type { NodeRequest } from './bridges/node-types.ts'
import type { HostedQueueApp, HostOptions } from './options.ts'
import { createPrivateFastify } from './bridges/private-fastify.ts'

export { hostRequestOf } from './bridges/host-request.ts'
export type { HostedQueueApp, HostOptions } from './options.ts'

/** The parts of Hono's context that we use. */
interface Context {
  readonly env: unknown
  readonly req: { readonly raw: Request; readonly path: string; readonly routePath: string; text(): Promise<string> }
}

export interface HonoBlueprint {
  (context: Context): Promise<Response>
  /** Answers every further request with 503. Does not stop the queue app, unless `stopOnClose` is set. Idempotent. */
  close(): Promise<void>
}

/**
 * A Hono handler: `app.all('/tasks/*', createBlueprint(queueApp))`. The prefix is the part of the pattern before `*`, also in sub-apps. On
 * `@hono/node-server` it uses Node's own request. Elsewhere it uses the Web `Request`, which never counts as local: set `auth`,
 * `authorize` or `access` there. Throws INVALID_OPTIONS.
 */
export function createBlueprint(queueApp: HostedQueueApp, options?: HostOptions): HonoBlueprint {
  const app = createPrivateFastify(queueApp, options)
  // Uses the undecoded address, because Hono decodes the path that it matches.
  const prefixOf = ({ req }: Context, url: string): string =>
    options?.prefix === undefined ? matchedPrefix(pathOf(url), req.routePath) : app.prefix

  async function handle(context: Context): Promise<Response> {
    const { incoming, outgoing } = (context.env ?? {}) as { incoming?: NodeRequest; outgoing?: ServerResponse }
    if (!incoming || !outgoing) {
      const { raw } = context.req
      return createFetchHandler(app, { prefix: prefixOf(context, new URL(raw.url).pathname) })(raw)
    }
    const prefix = prefixOf(context, incoming.url ?? '/')
    // Hono caches a body that an earlier middleware has read.
    const body = incoming.readableEnded && context.req.raw.bodyUsed ? await context.req.text() : undefined
    const isOurs = await passToFastify(app, incoming, outgoing, { request: context, body, prefix })
    return isOurs ? (sent ??= alreadySent()) : new Response(null, { status: 404 })
  }

  return Object.assign(handle, { close: app.close })
}

/** Shared by all requests, because none of it is sent. */
let sent: Response | undefined

/** Tells `@hono/node-server` that the response is sent separately. */
function alreadySent(): Response {
  const response = new Response(null, { headers: { 'x-hono-already-sent': 'true' } })
  // Its Response is lightweight until its body is read, and it sends a lightweight Response regardless of this header.
  void response.body
  return response
}

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

/** What is used of Hono's context. */
interface Context {
  readonly env: unknown
  readonly req: { readonly raw: Request; readonly path: string; readonly routePath: string; text(): Promise<string> }
}

export interface HonoBlueprint {
  (context: Context): Promise<Response>
  /** Answers 503 from now on. The queue app goes on, unless `stopOnClose` is set. Idempotent. */
  close(): Promise<void>
}

/**
 * A Hono handler: `app.all('/tasks/*', createBlueprint(queueApp))`. The prefix is the pattern's part before `*`, in sub-apps, too. On
 * `@hono/node-server` it uses Node's request itself, elsewhere the Web `Request`, of which nobody can tell whether it is
 * local: set `auth`, `authorize` or `access` there. Throws INVALID_OPTIONS.
 */
export function createBlueprint(queueApp: HostedQueueApp, options?: HostOptions): HonoBlueprint {
  const app = createPrivateFastify(queueApp, options)
  // Of the address as it was sent: Hono decodes the path that it matches.
  const prefixOf = ({ req }: Context, url: string): string =>
    options?.prefix === undefined ? matchedPrefix(pathOf(url), req.routePath) : app.prefix

  async function handle(context: Context): Promise<Response> {
    const { incoming, outgoing } = (context.env ?? {}) as { incoming?: NodeRequest; outgoing?: ServerResponse }
    if (!incoming || !outgoing) {
      const { raw } = context.req
      return createFetchHandler(app, { prefix: prefixOf(context, new URL(raw.url).pathname) })(raw)
    }
    const prefix = prefixOf(context, incoming.url ?? '/')
    // Hono keeps what a middleware before us has read.
    const body = incoming.readableEnded && context.req.raw.bodyUsed ? await context.req.text() : undefined
    const isOurs = await passToFastify(app, incoming, outgoing, { request: context, body, prefix })
    return isOurs ? (sent ??= alreadySent()) : new Response(null, { status: 404 })
  }

  return Object.assign(handle, { close: app.close })
}

/** One for all, as nothing of it is sent. */
let sent: Response | undefined

/** Tells `@hono/node-server` that the answer goes out by itself. */
function alreadySent(): Response {
  const response = new Response(null, { headers: { 'x-hono-already-sent': 'true' } })
  // Its own Response is a light one until somebody looks at the body, and a light one is sent whatever its headers say.
  void response.body
  return response
}

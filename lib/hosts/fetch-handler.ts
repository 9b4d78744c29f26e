import { setOrigin } from './host-request.ts'
import { pathBelow } from './mount-path.ts'
import type { PrivateFastify } from './private-fastify.ts'
import { WebIncoming } from './web-incoming.ts'
import { WebOutgoing } from './web-outgoing.ts'

/** Answers a Web `Request` whose body was not read. Stops with the request's signal, and when the answer's body is cancelled. */
export type FetchHandler = (request: Request) => Promise<Response>

/** Nobody is there to read it; the number is nginx's. */
const CLIENT_CLOSED_REQUEST = 499

/** @param prefix path of the mount, for hosts that know it only from the request. Default: the option `prefix`. */
export function createFetchHandler(app: PrivateFastify, prefix = app.prefix): FetchHandler {
  return async (request) => {
    const url = new URL(request.url)
    const originalUrl = url.pathname + url.search
    const below = pathBelow(originalUrl, prefix)
    if (below === null) return new Response(null, { status: 404 })
    if (request.bodyUsed) throw new TypeError('The body of the request was read before it reached the dashboard: hand it an unread Request')
    const fastify = await app.ready()
    const { signal } = request
    if (app.isClosed()) return new Response(null, { status: 503 })
    if (signal.aborted) return new Response(null, { status: CLIENT_CLOSED_REQUEST })

    const incoming = new WebIncoming(request, url, below)
    const outgoing = new WebOutgoing(incoming)
    Object.assign(incoming, { originalUrl })
    setOrigin(incoming, { request })
    const leave = (): void => { outgoing.destroy() }
    signal.addEventListener('abort', leave)
    outgoing.once('close', () => signal.removeEventListener('abort', leave))
    fastify.routing(incoming, outgoing)
    return outgoing.answer.catch((error: unknown) => {
      if (signal.aborted) return new Response(null, { status: CLIENT_CLOSED_REQUEST })
      throw error
    })
  }
}

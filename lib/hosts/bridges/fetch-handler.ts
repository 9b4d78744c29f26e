import { setOrigin } from './host-request.ts'
import { pathBelow } from '../paths/mount-path.ts'
import type { PrivateFastify } from './private-fastify.ts'
import { WebIncoming } from './web-incoming.ts'
import { WebOutgoing } from './web-outgoing.ts'

/** Answers a Web `Request` whose body has not been read. Stops when the request's signal aborts or the response body is cancelled. */
export type FetchHandler = (request: Request) => Promise<Response>

/** No one reads this response. The status is the one nginx uses. */
const CLIENT_CLOSED_REQUEST = 499

/** A Request's address is always normalized, so it need not be parsed again. The fragment is ignored. */
const ADDRESS = /^(https?):\/\/([^/?#]*)([^#]*)/

/**
 * @param options.prefix the mount path, for hosts that know it only from the request. Default: the option `prefix`.
 * @param options.compresses whether responses may be compressed. Default true.
 */
export function createFetchHandler(app: PrivateFastify, { prefix = app.prefix, compresses = true } = {}): FetchHandler {
  return async request => {
    const [, scheme, host, originalUrl] = ADDRESS.exec(request.url) ?? []
    const below = originalUrl === undefined ? null : pathBelow(originalUrl, prefix)
    if (below === null) return new Response(null, { status: 404 })
    if (request.bodyUsed) throw new TypeError('The body of the request was read before it reached the dashboard: hand it an unread Request')
    const fastify = await app.ready()
    if (app.isClosed()) return new Response(null, { status: 503 })
    // Accessing the signal creates it, which costs as much as a small response. So a read is answered before the signal is checked, and a
    // write does not start if no one waits for it.
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (!isRead && request.signal.aborted) return new Response(null, { status: CLIENT_CLOSED_REQUEST })

    const incoming = new WebIncoming(request, { host: host!, isEncrypted: scheme === 'https', url: below, originalUrl: originalUrl! })
    if (!compresses) delete incoming.headers['accept-encoding']
    const outgoing = new WebOutgoing(incoming)
    setOrigin(incoming, { request })
    fastify.routing(incoming, outgoing)
    if (isRead) setImmediate(stopWith, request, outgoing)
    else stopWith(request, outgoing)
    return outgoing.answer.catch((error: unknown) => {
      if (request.signal.aborted) return new Response(null, { status: CLIENT_CLOSED_REQUEST })
      throw error
    })
  }
}

/** Abandons the response when the client disconnects. */
function stopWith(request: Request, outgoing: WebOutgoing): void {
  if (outgoing.destroyed) return
  const { signal } = request
  const leave = (): void => { outgoing.destroy() }
  if (signal.aborted) return leave()
  signal.addEventListener('abort', leave)
  outgoing.once('close', () => signal.removeEventListener('abort', leave))
}

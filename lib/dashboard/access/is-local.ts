import { forwardingHeadersIn } from '../http/forwarding-headers.ts'
import { hostOf, isOriginOf, type RawRequest } from './is-same-site.ts'

/**
 * Whether a request comes from this machine, as far as one can tell: no header says that it was forwarded, and no page of another site made
 * it. A local proxy that adds no header looks the same. Uses the socket's address, because `trustProxy` changes the other one.
 */
export function isLocal(request: RawRequest): boolean {
  if (!LOOPBACK.test(request.socket?.remoteAddress ?? '')) return false
  // nginx before 1.29.7 uses HTTP/1.0 to its upstream by default; hardly anything else does today.
  if (request.httpVersion === '1.0') return false
  if (forwardingHeadersIn(request.headers).length > 0) return false
  const host = hostOf(request)
  // In a DNS rebinding attack, a page whose name resolves to 127.0.0.1 sends its own host name.
  if (host === undefined || !LOCAL_HOST.test(host)) return false
  return isAskedOf(host, request.originalUrl ?? request.url ?? '/') && isOwnPage(host, request)
}

const LOOPBACK = /^(::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3}$|^::1$/i
const LOCAL_HOST = /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(:\d{1,5})?$/i
const ABSOLUTE_FORM = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i

/** `GET http://example.org/ HTTP/1.1` addresses example.org, whatever Host says: it was meant for a proxy. */
function isAskedOf(host: string, target: string): boolean {
  const [, authority] = ABSOLUTE_FORM.exec(target) ?? []
  return authority === undefined || authority.toLowerCase() === host.toLowerCase()
}

/**
 * Whether no page of another site made the request. With a host that allows CORS for everyone, such a page could read the response. A link
 * that opens one of our pages in a tab is fine, because the opener cannot read it.
 */
function isOwnPage(host: string, { headers, method }: RawRequest): boolean {
  const site = headers['sec-fetch-site']
  const isOpened = headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document' &&
    (method === 'GET' || method === 'HEAD')
  if (site !== undefined && site !== 'same-origin' && site !== 'none' && !isOpened) return false
  return headers.origin === undefined || isOriginOf(host, headers.origin)
}

import type { IncomingMessage } from 'node:http'
import { forwardedHostOf } from './forwarded.ts'

type RawRequest = Pick<IncomingMessage, 'headers' | 'httpVersion'> & { readonly socket: { readonly remoteAddress?: string | undefined } | null }

/**
 * Whether a request comes from this machine and nobody passed it on. The address is the socket's: `trustProxy` makes others of it.
 * The Host is checked against a page elsewhere whose name resolves to 127.0.0.1 (DNS rebinding).
 */
export function isLocal(request: RawRequest): boolean {
  if (!LOOPBACK.test(request.socket?.remoteAddress ?? '')) return false
  // nginx without a configuration of its own says no more than this: it speaks HTTP/1.0, as hardly anybody does today.
  if (request.httpVersion === '1.0') return false
  if (Object.keys(request.headers).some((name) => FORWARDING.test(name))) return false
  return LOCAL_HOST.test(hostOf(request) ?? '')
}

/**
 * Whether a write was made by one of our own pages or by a program. Browsers send `Sec-Fetch-Site`, older ones at least `Origin`;
 * programs send neither. `trustForwarded`: X-Forwarded-Host is the host that the browser sees.
 */
export function isSameSite(request: RawRequest, trustForwarded = false): boolean {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  const { origin } = request.headers
  const host = (trustForwarded ? forwardedHostOf(request.headers) : undefined) ?? hostOf(request)
  return origin === undefined || hostOfOrigin(origin) === host?.toLowerCase()
}

const LOOPBACK = /^(::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3}$|^::1$/i
const LOCAL_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i
const FORWARDING = /^(forwarded|via|proxy-.*|x-forwarded.*|x-forwarder.*|x-original-.*|x-real-ip|x-client-ip|client-ip|x-cluster-client-ip|x-proxyuser-ip|x-remote-.*|true-client-ip|cf-.*|cdn-loop|fastly-.*|forwarded-for|(x-)?akamai-.*|ali-cdn-.*|x-appgw-.*|x-nginx-proxy|x-host|x-scheme|x-rewrite-url|x-envoy-.*|x-azure-.*|x-amzn-trace-id|x-appengine-.*|x-vercel-.*|fly-.*)$/

function hostOf({ headers }: RawRequest): string | undefined {
  const host = headers.host ?? headers[':authority']
  return typeof host === 'string' ? host : undefined
}

function hostOfOrigin(origin: string): string | null {
  try {
    return new URL(origin).host
  } catch {
    // "null", as sandboxed frames and files send it.
    return null
  }
}

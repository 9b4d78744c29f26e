import type { IncomingMessage } from 'node:http'
import { forwardedHostOf } from '../http/forwarding-headers.ts'

/**
 * Whether a write was made by one of our own pages or by a program. Browsers send `Sec-Fetch-Site`, or at least `Origin` if they are old;
 * programs send neither. `trustForwarded`: X-Forwarded-Host is the host that the browser sees.
 */
export function isSameSite(request: RawRequest, trustForwarded = false): boolean {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  const { origin } = request.headers
  const host = (trustForwarded ? forwardedHostOf(request.headers) : undefined) ?? hostOf(request)
  return origin === undefined || isOriginOf(host, origin)
}

export type RawRequest = Pick<IncomingMessage, 'headers' | 'httpVersion'> & {
  readonly method?: string | undefined
  readonly url?: string | undefined
  /** The URL before the host removed the mount path. */
  readonly originalUrl?: string
  readonly socket: { readonly remoteAddress?: string | undefined } | null
}

export function hostOf({ headers }: RawRequest): string | undefined {
  const host = headers.host ?? headers[':authority']
  return typeof host === 'string' ? host : undefined
}

/** Whether the origin belongs to this host. The scheme's default port may be given or omitted. */
export function isOriginOf(host: string | undefined, origin: string): boolean {
  try {
    const { protocol, host: given } = new URL(origin)
    return (protocol === 'http:' || protocol === 'https:') && given === new URL(`${protocol}//${host ?? ''}`).host
  } catch {
    // "null", sent by sandboxed frames and files.
    return false
  }
}

import type { IncomingHttpHeaders } from 'node:http'
import { PATH } from '../options.ts'

/*
 * Headers that proxies, load balancers, content delivery networks and tunnels add to requests they forward. All checks for such headers
 * belong here. They can prove that a request was forwarded, never that it was not: a bare proxy adds nothing.
 */

/** The names of headers that show the request was forwarded, in lower case. */
export function forwardingHeadersIn(headers: IncomingHttpHeaders): string[] {
  return Object.keys(headers).filter(name => NAMES.has(name) || PREFIXES.some(prefix => name.startsWith(prefix)))
}

/** Headers that a proxy should send besides Host, with the nginx line for each. docs/production.md has the same lines. */
export const LINES_OF_A_PROXY: ReadonlyArray<readonly [name: string, line: string]> = [
  ['x-real-ip', 'proxy_set_header X-Real-IP $remote_addr;'],
  ['x-forwarded-for', 'proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;'],
  ['x-forwarded-proto', 'proxy_set_header X-Forwarded-Proto $scheme;']
]

/** What the proxy sent as its own host or prefix, whatever it is; undefined if nothing. Only for reports about the proxy. */
export function sentByProxy(headers: IncomingHttpHeaders, what: keyof typeof SENT): string | string[] | undefined {
  return headers[SENT[what]]
}

/** X-Forwarded-Prefix without a trailing slash; null if it is absent or not a path. Read only with `trustForwarded`. */
export function forwardedPrefixOf(headers: IncomingHttpHeaders): string | null {
  const prefix = headers[SENT.prefix]
  if (typeof prefix !== 'string' || prefix === '' || prefix.length > MAX_PREFIX_LENGTH || !PREFIX.test(prefix)) return null
  return prefix.replace(/\/$/, '')
}

/**
 * The host in the request to the first proxy; undefined if not given. Read only with `trustForwarded`, and never to decide who the client
 * is.
 */
export function forwardedHostOf(headers: IncomingHttpHeaders): string | undefined {
  const host = headers[SENT.host]
  return typeof host === 'string' ? host.split(',')[0]!.trim() || undefined : undefined
}

const SENT = { prefix: 'x-forwarded-prefix', host: 'x-forwarded-host' } as const
const PREFIX = new RegExp(PATH)
const MAX_PREFIX_LENGTH = 1000

const NAMES: ReadonlySet<string> = new Set([
  'via', 'x-real-ip', 'x-client-ip', 'client-ip', 'true-client-ip', 'x-cluster-client-ip', 'x-proxyuser-ip', 'x-originating-ip',
  'incap-client-ip', 'x-sucuri-clientip', 'cdn-loop', 'x-host', 'x-scheme', 'x-url-scheme', 'front-end-https', 'x-rewrite-url',
  'x-script-name', 'x-request-start', 'disguised-host', 'x-varnish', 'x-iinfo', 'x-amzn-trace-id', 'x-cloud-trace-context', 'rndr-id',
  'surrogate-capability', 'remote-user'
])

const PREFIXES = [
  // Any proxy.
  'forwarded', 'proxy-', 'x-forwarded', 'x-forwarder', 'x-original-', 'x-remote-', 'x-proxy-', 'x-nginx-', 'x-accel-', 'x-replaced-',
  'x-ingress-', 'x-auth-request-',
  // Specific servers, gateways and meshes.
  'wl-proxy-', 'x-arr-', 'x-envoy-', 'x-kong-', 'x-consumer-', 'x-authentik-', 'x-pomerium-', 'x-bluecoat-',
  // Tunnels.
  'tailscale-', 'ngrok-', 'x-ngrok-', 'x-tunnel-', 'x-localtunnel-',
  // Clouds and content delivery networks.
  'cf-', 'cloudfront-', 'x-amz-cf-', 'x-amzn-oidc-', 'fastly-', 'akamai-', 'x-akamai-', 'ali-cdn-', 'x-appgw-', 'x-azure-', 'x-appservice-',
  'x-ms-client-principal', 'x-appengine-', 'x-goog-', 'x-vercel-', 'x-nf-', 'x-railway-', 'fly-', 'x-sucuri-'
]

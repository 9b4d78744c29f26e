import type { IncomingHttpHeaders } from 'node:http'
import { PATH } from '../options.ts'

/*
 * What proxies, load balancers, content delivery networks and tunnels put on a request that they pass on. Whoever asks for such a header
 * asks here. They can show that somebody passed a request on, never that nobody did: a bare proxy adds nothing.
 */

/** The names of those headers that tell that a request was passed on, in lower case. */
export function forwardingHeadersIn(headers: IncomingHttpHeaders): string[] {
  return Object.keys(headers).filter(name => NAMES.has(name) || PREFIXES.some(prefix => name.startsWith(prefix)))
}

/** What a proxy is to forward beside Host, with the line of nginx that does. docs/production.md has the same lines. */
export const LINES_OF_A_PROXY: ReadonlyArray<readonly [name: string, line: string]> = [
  ['x-real-ip', 'proxy_set_header X-Real-IP $remote_addr;'],
  ['x-forwarded-for', 'proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;'],
  ['x-forwarded-proto', 'proxy_set_header X-Forwarded-Proto $scheme;']
]

/** X-Forwarded-Prefix without a slash at the end; null when there is none, or none that is a path. Read only with `trustForwarded`. */
export function forwardedPrefixOf(headers: IncomingHttpHeaders): string | null {
  const prefix = headers['x-forwarded-prefix']
  if (typeof prefix !== 'string' || prefix === '' || prefix.length > MAX_PREFIX_LENGTH || !PREFIX.test(prefix)) return null
  return prefix.replace(/\/$/, '')
}

/** The host that the first proxy was asked for; undefined when nobody says. Read only with `trustForwarded`, and never to tell who asks. */
export function forwardedHostOf(headers: IncomingHttpHeaders): string | undefined {
  const host = headers['x-forwarded-host']
  return typeof host === 'string' ? host.split(',')[0]!.trim() || undefined : undefined
}

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
  // Servers, gateways and meshes by name.
  'wl-proxy-', 'x-arr-', 'x-envoy-', 'x-kong-', 'x-consumer-', 'x-authentik-', 'x-pomerium-', 'x-bluecoat-',
  // Tunnels.
  'tailscale-', 'ngrok-', 'x-ngrok-', 'x-tunnel-', 'x-localtunnel-',
  // Clouds and content delivery networks.
  'cf-', 'cloudfront-', 'x-amz-cf-', 'x-amzn-oidc-', 'fastly-', 'akamai-', 'x-akamai-', 'ali-cdn-', 'x-appgw-', 'x-azure-', 'x-appservice-',
  'x-ms-client-principal', 'x-appengine-', 'x-goog-', 'x-vercel-', 'x-nf-', 'x-railway-', 'fly-', 'x-sucuri-'
]

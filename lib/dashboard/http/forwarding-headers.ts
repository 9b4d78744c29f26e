import type { IncomingHttpHeaders } from 'node:http'

/*
 * What proxies, load balancers, content delivery networks and tunnels put on a request that they pass on. The access check and the
 * doctor both read this list. It can show that somebody passed a request on, never that nobody did: a bare proxy adds nothing.
 */

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

/** The names of those headers that tell that a request was passed on, in lower case. */
export function forwardingHeadersIn(headers: IncomingHttpHeaders): string[] {
  return Object.keys(headers).filter(name => NAMES.has(name) || PREFIXES.some(prefix => name.startsWith(prefix)))
}

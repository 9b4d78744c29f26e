import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** Any host with a scheme, and a port unless it is the scheme's default. */
const ORIGIN = /^https?:\/\/(?:\*\.)?[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?$/i

/** The options that affect headers. */
interface Allowed {
  readonly frameAncestors: readonly string[]
  readonly theme: { readonly logo: string | null }
}

export type Headers = Readonly<Record<string, string>> & { readonly 'content-security-policy': string }

/**
 * The headers of every response: no external resources except the host's logo, no inline script or style, and no framing unless the host
 * allows it.
 */
export function createHeaders({ frameAncestors, theme }: Allowed): Headers {
  const logoOrigin = theme.logo?.startsWith('/') === false ? ` ${new URL(theme.logo).origin}` : ''
  return {
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      `img-src 'self' data:${logoOrigin}`,
      "font-src 'self'",
      "connect-src 'self'",
      "manifest-src 'self'",
      "base-uri 'self'",
      "form-action 'none'",
      frameAncestorsOf(frameAncestors)
    ].join('; '),
    'x-content-type-options': 'nosniff',
    ...frameOptionsOf(frameAncestors),
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'no-store'
  }
}

/** For requests before the options are known. */
export const HEADERS = createHeaders({ frameAncestors: [], theme: { logo: null } })

const DECORATOR = 'taskDashboardHeaders'

export function decorateHeaders(app: FastifyInstance, options: Allowed): void {
  app.decorate(DECORATOR, createHeaders(options))
}

/** The headers of the dashboard that handles the request, even before `setHeaders` has run, because a host's hook may fail first. */
export function headersOf({ server }: Pick<FastifyRequest, 'server'>): Headers {
  return server.hasDecorator(DECORATOR) ? server.getDecorator<Headers>(DECORATOR) : HEADERS
}

/** An `onRequest` hook. It runs first, so that refusals have the headers too. */
export function setHeaders(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  reply.headers(headersOf(request))
  done()
}

/** The content security policy directive for who may frame a page. */
function frameAncestorsOf(frameAncestors: readonly string[]): string {
  const sources = frameAncestors.map(ancestor => ancestor === 'self' ? "'self'" : ancestor.toLowerCase())
  return `frame-ancestors ${sources.join(' ') || "'none'"}`
}

export function problemOfFrameAncestors(frameAncestors: readonly string[]): string | null {
  const wrong = frameAncestors.find(ancestor => ancestor !== 'self' && !ORIGIN.test(ancestor))
  return wrong === undefined
    ? null
    : `frameAncestors: ${JSON.stringify(wrong)} must be self or an origin such as https://portal.example.com, without a path`
}

/** The older header only allows none or the same origin. Browsers that support the policy use that, so other values are left to it. */
function frameOptionsOf(frameAncestors: readonly string[]): Readonly<Record<string, string>> {
  if (frameAncestors.length === 0) return { 'x-frame-options': 'DENY' }
  return frameAncestors.every(ancestor => ancestor === 'self') ? { 'x-frame-options': 'SAMEORIGIN' } : {}
}

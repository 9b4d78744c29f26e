import type { FastifyReply, FastifyRequest } from 'fastify'

/** Nothing from elsewhere, no inline script or style, no frame around it. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'"
].join('; ')

/** On every answer, those to what a host's hooks refuse among them. */
export const HEADERS = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store'
}

/** An `onRequest` hook, the first of all, so that refusals carry them, too. */
export function setHeaders(_request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  reply.headers(HEADERS)
  done()
}

import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RouteConfig } from './routes/route-config.ts'

interface Written { readonly tag: string; readonly text: string }

/** Many requests share a snapshot, so each is serialized and hashed once. */
const written = new WeakMap<object, Written>()

/** A `preSerialization` hook. Polled responses get a weak ETag, and 304 if the browser already has them. */
export function answerUnchanged(
  request: FastifyRequest, reply: FastifyReply, payload: unknown, done: (error: null, payload: unknown) => void
): void {
  const { polled } = request.routeOptions.config as unknown as RouteConfig
  if (!polled || reply.statusCode !== 200 || typeof payload !== 'object' || payload === null) return done(null, payload)
  const { tag } = writtenOf(payload)
  reply.header('etag', tag)
  if (!isAmong(request.headers['if-none-match'], tag)) return done(null, payload)
  reply.code(304)
  done(null, null)
}

/** As JSON. */
export function serialize(payload: unknown): string {
  return (typeof payload === 'object' && payload !== null && written.get(payload)?.text) || JSON.stringify(payload)
}

function writtenOf(payload: object): Written {
  const known = written.get(payload)
  if (known) return known
  const version = 'version' in payload && typeof payload.version === 'string' ? `${payload.version}~` : ''
  const text = JSON.stringify(payload)
  // The time of the read does not count as a change. A replacer function would take longer than serializing a whole page.
  const unchanging = 'generated_at' in payload ? JSON.stringify({ ...payload, generated_at: undefined }) : text
  const made = { tag: `W/"${version}${hash('sha256', unchanging, 'base64url').slice(0, 22)}"`, text }
  written.set(payload, made)
  return made
}

/**
 * The version in an `If-Match` header, `*` for any, undefined if there is none. ETags of reads contain more than the version, because what
 * is read changes more often than what can be written.
 */
export function versionFrom(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  return header.trim().replace(/^W\//, '').replace(/^"(.*)"$/, '$1').split('~', 1)[0]
}

/** Whether an `If-None-Match` names this weak tag. */
export function isAmong(header: string | undefined, tag: string): boolean {
  return header !== undefined && (header.trim() === '*' || header.split(',').some(one => one.trim().replace(/^(?:W\/)?/, 'W/') === tag))
}

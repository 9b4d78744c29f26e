import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'

/** What came with a request and Fastify does not know. */
interface Origin {
  /** The host's own request. */
  readonly request: unknown
  /** The body, if the host has read it. */
  readonly body?: unknown
}

/** A property of the raw request, because a WeakMap of requests keeps the garbage collector busy. */
const ORIGIN = Symbol('fastify-task-dashboard.origin')

type WithOrigin = IncomingMessage & { [ORIGIN]?: Origin }

export function setOrigin(raw: IncomingMessage, origin: Origin): void {
  (raw as WithOrigin)[ORIGIN] = origin
}

export function bodyReadByHost(raw: IncomingMessage): unknown {
  return (raw as WithOrigin)[ORIGIN]?.body ?? (raw as { body?: unknown }).body
}

/**
 * The host's own request, for `authorize`: Express's request, Koa's or Hono's context, Hapi's request, a Web `Request`, or
 * Node's `IncomingMessage`.
 */
export function hostRequestOf<HostRequest>(request: FastifyRequest): HostRequest {
  return ((request.raw as WithOrigin)[ORIGIN]?.request ?? request.raw) as HostRequest
}

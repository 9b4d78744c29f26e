import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** What came with a request and Fastify does not know. */
interface Origin {
  /** The host's own request. */
  readonly request: unknown
  /** The body, if the host has read it. */
  readonly body?: unknown
}

/** A property of the raw request: a WeakMap of requests keeps the garbage collector busy. */
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

interface AskedByWeb {
  readonly request: Request
  readonly originalUrl: string
  /** Called with what the answer is written to. */
  onAnswering(response: ServerResponse): void
}

const asked = new AsyncLocalStorage<AskedByWeb>()

/** Carries what `inject` cannot: see `knowWebRequest`. */
export function withWebRequest<Result>(origin: AskedByWeb, work: () => Result): Result {
  return asked.run(origin, work)
}

/** An `onRequest` hook: `request.originalUrl` and `hostRequestOf()` for a request that came as a Web `Request`. */
export function knowWebRequest({ raw }: FastifyRequest, reply: FastifyReply, done: () => void): void {
  const origin = 'isLightMyRequest' in raw ? asked.getStore() : undefined
  if (origin) {
    (raw as { originalUrl?: string }).originalUrl = origin.originalUrl
    setOrigin(raw, { request: origin.request })
    origin.onAnswering(reply.raw)
  }
  done()
}

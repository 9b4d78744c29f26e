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

const origins = new WeakMap<IncomingMessage, Origin>()

export function setOrigin(raw: IncomingMessage, origin: Origin): void {
  origins.set(raw, origin)
}

export function bodyReadByHost(raw: IncomingMessage): unknown {
  return origins.get(raw)?.body ?? (raw as { body?: unknown }).body
}

/**
 * The host's own request, for `authorize`: Express's request, Koa's or Hono's context, Hapi's request, a Web `Request`, or
 * Node's `IncomingMessage`.
 */
export function hostRequestOf<HostRequest>(request: FastifyRequest): HostRequest {
  return (origins.get(request.raw)?.request ?? request.raw) as HostRequest
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
export async function knowWebRequest({ raw }: FastifyRequest, reply: FastifyReply): Promise<void> {
  const origin = asked.getStore()
  if (!origin || !('isLightMyRequest' in raw)) return
  ;(raw as { originalUrl?: string }).originalUrl = origin.originalUrl
  setOrigin(raw, { request: origin.request })
  origin.onAnswering(reply.raw)
}

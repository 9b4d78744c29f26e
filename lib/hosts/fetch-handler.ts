import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { withWebRequest } from './host-request.ts'
import { pathBelow } from './mount-path.ts'
import type { PrivateFastify } from './private-fastify.ts'

/** Answers a Web `Request` whose body was not read. Stops with the request's signal, and when the answer's body is cancelled. */
export type FetchHandler = (request: Request) => Promise<Response>

/**
 * A Web `Request` has no socket, so nothing tells whether it came from this machine. This is no loopback address: without
 * `auth`, `authorize` or `access` everyone is refused.
 */
const NO_ADDRESS = 'unknown'

/** Nobody is there to read it; the number is nginx's. */
const CLIENT_CLOSED_REQUEST = 499

/** Those of one connection, which is not the host's. */
const CONNECTION_HEADERS = new Set(['connection', 'keep-alive', 'transfer-encoding'])

type WebBody = ConstructorParameters<typeof Response>[0]

/** @param prefix path of the mount, for hosts that know it only from the request. Default: the option `prefix`. */
export function createFetchHandler(app: PrivateFastify, prefix = app.prefix): FetchHandler {
  return async (request) => {
    const { pathname, search, host } = new URL(request.url)
    const originalUrl = pathname + search
    const below = pathBelow(originalUrl, prefix)
    if (below === null) return new Response(null, { status: 404 })
    if (request.bodyUsed) throw new TypeError('The body of the request was read before it reached the dashboard: hand it an unread Request')
    const fastify = await app.ready()
    if (app.isClosed()) return new Response(null, { status: 503 })
    if (request.signal.aborted) return new Response(null, { status: CLIENT_CLOSED_REQUEST })

    let answering: ServerResponse | undefined
    const leave = (): void => { answering?.destroy() }
    request.signal.addEventListener('abort', leave, { once: true })
    const onAnswering = (response: ServerResponse): void => {
      answering = response
      response.once('close', () => request.signal.removeEventListener('abort', leave))
    }
    return withWebRequest({ request, originalUrl, onAnswering }, () => answer(fastify, request, below, host, leave))
  }
}

async function answer(fastify: FastifyInstance, request: Request, url: string, host: string, leave: () => void): Promise<Response> {
  const payload = request.body ? Readable.fromWeb(request.body) : undefined
  const options: InjectOptions = {
    method: request.method,
    url,
    headers: { 'user-agent': undefined, host, ...Object.fromEntries(request.headers) },
    remoteAddress: NO_ADDRESS,
    payloadAsStream: true,
    ...(payload && { payload })
  }
  const injected = await fastify.inject(options).catch((error: unknown) => {
    if (request.signal.aborted) return null
    throw error
  })
  if (injected === null) return new Response(null, { status: CLIENT_CLOSED_REQUEST })
  const { statusCode, headers } = injected
  const body = injected.stream()
  body.once('close', () => {
    if (!body.readableEnded) leave()
    // What was not read of the request is read and thrown away: some clients look for an answer only when they have sent everything.
    payload?.removeAllListeners('readable').resume()
  })
  const hasNoBody = request.method === 'HEAD' || statusCode === 204 || statusCode === 304
  return new Response(hasNoBody ? discarded(body) : webBodyOf(body, Number(headers['content-length'])), { status: statusCode, headers: toHeaders(headers) })
}

function discarded(body: Readable): null {
  body.resume()
  return null
}

/** What is there as a whole is not made a stream: that costs more than everything else. */
function webBodyOf(body: Readable, length: number): WebBody {
  if (body.readableLength === length) return length === 0 ? discarded(body) : body.read() as Buffer
  return Readable.toWeb(body)
}

function toHeaders(fields: Record<string, unknown>): Array<[string, string]> {
  const headers: Array<[string, string]> = []
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined || CONNECTION_HEADERS.has(name)) continue
    for (const one of [value].flat() as Array<string | number>) headers.push([name, String(one)])
  }
  return headers
}

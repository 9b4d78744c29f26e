import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { MAX_IDEMPOTENCY_KEY_LENGTH, IdempotencyHeaders } from '../../../schemas/idempotency.ts'
import { createTaskDashboardError } from '../../errors.ts'
import { isRefusedForNow } from '../audit/audit-writes.ts'
import type { Operations } from '../../queue-app/operations/operations.ts'
import { canonicalJson } from './canonical-json.ts'
import { answersOf, userOf } from '../decorators.ts'
import { isAnswerInScope, isInScope, scopeNamesOf } from '../access/in-scope.ts'
import { IDENTITY_HEADERS } from '../access/identity-headers.ts'
import { problem } from '../resources/responses.ts'
import { digestOfText } from '../../json/digest.ts'

/** The operation of a request. Its repeats have the same id. */
export interface Operation {
  /** A UUID in time order. */
  readonly id: string
  /** An earlier attempt may already have done it, so check first. */
  readonly isRepeated: boolean
}

type RequestClaim = Awaited<ReturnType<Operations['answers']['claim']>>
type Claimed = Extract<RequestClaim, { state: 'claimed' }>
type Handler = (this: FastifyInstance, request: FastifyRequest, reply: FastifyReply) => unknown
type Route = Pick<RouteOptions, 'method' | 'schema'> & { readonly handler: unknown }

interface KeptAnswer {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: string
}

const operations = new WeakMap<FastifyRequest, Operation>()
const claims = new WeakMap<FastifyRequest, Claimed>()

/** Headers stored with a response. */
const KEPT_HEADERS = ['content-type', 'etag', 'location'] as const
const REPLAYED_HEADER = 'idempotent-replayed'
/** The first request may take as long as a write does, but most are quick. */
const IN_PROGRESS_RETRY_SECONDS = 1

/** The operation behind a POST, whose id names what the handler creates; undefined for a request without a key. */
export function operationOf(request: FastifyRequest): Operation | undefined {
  return operations.get(request)
}

/**
 * Makes every POST accept an `Idempotency-Key`: the handler runs once per key, and its response is stored. Other methods are idempotent
 * anyway.
 */
export function takeIdempotencyKey<Options extends Route>(options: Options): Options {
  if (String(options.method) !== 'POST') return options
  const handler = options.handler as Handler
  const { headers, response, ...schema } = options.schema as { headers?: object; response: Record<string, unknown> }
  return {
    ...options,
    schema: { ...schema, headers: withKey(headers), response: { ...KEY_ANSWERS, ...response } },
    async handler(this: FastifyInstance, request: FastifyRequest, reply: FastifyReply) {
      const key = keyFrom(request.headers['idempotency-key'])
      // If the resource is out of scope, a stored response would reveal that it exists.
      if (key === null || !await isInScope(request)) return handler.call(this, request, reply)
      const claim = await answersOf(request).claim(...namesOf(request, key, await userOf(request), await scopeNamesOf(request)))
      if (claim.state === 'claimed') {
        claims.set(request, claim)
        operations.set(request, { id: claim.operationId, isRepeated: claim.isRepeated })
        return handler.call(this, request, reply)
      }
      if (claim.state === 'answered') {
        const kept = JSON.parse(claim.answer) as KeptAnswer
        if (!await isAnswerInScope(request, kept.body)) throw refusal('other')
        return replay(reply, kept)
      }
      throw refusal(claim.state)
    }
  }
}

/** An `onSend` hook that runs before compression: stores the response to a claimed request. */
export async function keepAnswer(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  const claim = claims.get(request)
  if (claim === undefined) return payload
  claims.delete(request)
  // A 5xx is not stored: the next attempt finds out what happened to this one.
  if (reply.statusCode >= 500 || typeof payload !== 'string' || isRefusedForNow(request)) {
    await claim.abandon()
    return payload
  }
  const headers = Object.fromEntries(KEPT_HEADERS.flatMap(name => reply.hasHeader(name) ? [[name, String(reply.getHeader(name))]] : []))
  await claim.save(JSON.stringify({ status: reply.statusCode, headers, body: payload } satisfies KeptAnswer))
  return payload
}

function replay(reply: FastifyReply, { status, headers, body }: KeptAnswer): FastifyReply {
  // Sent as bytes, so that it is not serialized again.
  return reply.code(status).headers({ ...headers, [REPLAYED_HEADER]: 'true' }).send(Buffer.from(body))
}

function refusal(state: 'busy' | 'other' | 'full'): Error {
  if (state === 'other') return createTaskDashboardError('IDEMPOTENCY_KEY_REUSED')
  if (state === 'full') return createTaskDashboardError('TOO_MANY_IDEMPOTENCY_KEYS')
  return createTaskDashboardError('IDEMPOTENCY_KEY_IN_PROGRESS', [], { retryAfterSeconds: IN_PROGRESS_RETRY_SECONDS })
}

/** The draft puts the key in quotes. Most clients send it without and mean the same. */
function keyFrom(header: string | string[] | undefined): string | null {
  if (typeof header !== 'string') return null
  const key = /^"(.*)"$/.exec(header)?.[1] ?? header
  if (key.length > 0 && key.length <= MAX_IDEMPOTENCY_KEY_LENGTH) return key
  const message = `must be 1 to ${MAX_IDEMPOTENCY_KEY_LENGTH} characters`
  throw createTaskDashboardError('INVALID_INPUT', [`The header "idempotency-key" ${message}`], {
    errors: [{ pointer: 'idempotency-key', message }]
  })
}

/**
 * Keys are scoped to a user. If the user is unknown, the credentials are part of the fingerprint. So a repeat with other credentials is
 * refused instead of carried out again: it may come from the same caller with renewed ones.
 */
function namesOf(
  request: FastifyRequest, key: string, user: string | null, scopeNames: readonly string[] | undefined
): [key: string, fingerprint: string] {
  const credentials = user === null ? credentialsIn(request.headers) : null
  const address = request.url.slice(request.server.prefix.length)
  const parts = [request.method, address, credentials, request.body ?? null, ...scopeNames === undefined ? [] : [scopeNames]]
  return [digest([user, key]), digest(parts)]
}

/**
 * Headers by which a host, or an authenticating proxy in front of it, identifies the caller, in a fixed order. No cookies: a session that
 * is sealed again with each response, or an analytics cookie, would make a retry look like another caller.
 */
const CREDENTIALS = ['authorization', ...IDENTITY_HEADERS] as const

function credentialsIn(headers: IncomingHttpHeaders): Array<[name: string, value: string]> {
  return CREDENTIALS.flatMap(name => headers[name] === undefined ? [] : [[name, String(headers[name])]])
}

function digest(parts: unknown): string {
  return digestOfText(canonicalJson(parts))
}

function withKey(headers: object | undefined): object {
  const own = (headers ?? {}) as { properties?: object }
  return { ...IdempotencyHeaders, ...own, properties: { ...IdempotencyHeaders.properties, ...own.properties } }
}

const KEY_ANSWERS = {
  409: problem(
    'The key was used for another request, or its first request is still in progress',
    { 'Retry-After': 'Seconds to wait while it is in progress' }
  )
} as const

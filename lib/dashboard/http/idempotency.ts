import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { MAX_IDEMPOTENCY_KEY_LENGTH, IdempotencyHeaders } from '../../../schemas/idempotency.ts'
import { createTaskDashboardError } from '../../errors.ts'
import type { Operations } from '../../queue-app/operations/operations.ts'
import { canonicalJson } from './canonical-json.ts'
import { answersOf, userOf } from '../decorators.ts'
import { IDENTITY_HEADERS } from '../access/identity-headers.ts'
import { problem } from '../resources/responses.ts'

/** What a request does, under an id that its repeats have too. */
export interface Operation {
  /** A UUID, in order of time. */
  readonly id: string
  /** An earlier attempt may have done it: look first. */
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

/** Of what an answer says beside its body. */
const KEPT_HEADERS = ['content-type', 'etag', 'location'] as const
const REPLAYED_HEADER = 'idempotent-replayed'
/** The first request may take as long as a write does; most take a moment. */
const IN_PROGRESS_RETRY_SECONDS = 1

/** What the handler of a POST makes is named by it; undefined for a request without a key. */
export function operationOf(request: FastifyRequest): Operation | undefined {
  return operations.get(request)
}

/**
 * Every POST takes an `Idempotency-Key`, whatever its route says: the handler is asked once a key, its answer kept. Other methods can be
 * repeated as they are.
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
      if (key === null) return handler.call(this, request, reply)
      const claim = await answersOf(request).claim(...namesOf(request, key, await userOf(request)))
      if (claim.state === 'claimed') {
        claims.set(request, claim)
        operations.set(request, { id: claim.operationId, isRepeated: claim.isRepeated })
        return handler.call(this, request, reply)
      }
      if (claim.state === 'answered') return replay(reply, JSON.parse(claim.answer) as KeptAnswer)
      throw refusal(claim.state, reply)
    }
  }
}

/** An `onSend` hook, before compression: keeps what answers a claim. */
export async function keepAnswer(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  const claim = claims.get(request)
  if (claim === undefined) return payload
  claims.delete(request)
  // A failure of ours is no answer to keep: the next attempt finds out what became of this one.
  if (reply.statusCode >= 500 || typeof payload !== 'string') {
    await claim.abandon()
    return payload
  }
  const headers = Object.fromEntries(KEPT_HEADERS.flatMap(name => reply.hasHeader(name) ? [[name, String(reply.getHeader(name))]] : []))
  await claim.save(JSON.stringify({ status: reply.statusCode, headers, body: payload } satisfies KeptAnswer))
  return payload
}

function replay(reply: FastifyReply, { status, headers, body }: KeptAnswer): FastifyReply {
  // Bytes are not serialized again.
  return reply.code(status).headers({ ...headers, [REPLAYED_HEADER]: 'true' }).send(Buffer.from(body))
}

function refusal(state: 'busy' | 'other' | 'full', reply: FastifyReply): Error {
  if (state === 'other') return createTaskDashboardError('IDEMPOTENCY_KEY_REUSED')
  if (state === 'full') return createTaskDashboardError('TOO_MANY_IDEMPOTENCY_KEYS')
  reply.header('retry-after', IN_PROGRESS_RETRY_SECONDS)
  return createTaskDashboardError('IDEMPOTENCY_KEY_IN_PROGRESS')
}

/** The draft has the key in quotes; most clients send it without, and mean the same. */
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
 * One user's keys are not another's. Where a user is not known by name, the credentials tell callers apart, in what a key stands for: a
 * caller with others is refused and not carried out, as these may have been renewed since.
 */
function namesOf(request: FastifyRequest, key: string, user: string | null): [key: string, fingerprint: string] {
  const credentials = user === null ? credentialsIn(request.headers) : null
  const address = request.url.slice(request.server.prefix.length)
  return [digest([user, key]), digest([request.method, address, credentials, request.body ?? null])]
}

/**
 * By what a host, or a proxy in front of it that signs people in, knows who asks: the names in the order of this list. Not by cookies:
 * sessions that are sealed anew with each answer, and cookies of analytics, would make another caller of the one who asks again.
 */
const CREDENTIALS = ['authorization', ...IDENTITY_HEADERS] as const

function credentialsIn(headers: IncomingHttpHeaders): Array<[name: string, value: string]> {
  return CREDENTIALS.flatMap(name => headers[name] === undefined ? [] : [[name, String(headers[name])]])
}

function digest(parts: unknown): string {
  return createHash('sha256').update(canonicalJson(parts)).digest('base64url')
}

function withKey(headers: object | undefined): object {
  const own = (headers ?? {}) as { properties?: object }
  return { ...IdempotencyHeaders, ...own, properties: { ...IdempotencyHeaders.properties, ...own.properties } }
}

const KEY_ANSWERS = {
  409: problem(
    'The key was used for another request, or its first request is still in progress',
    { 'Retry-After': 'Seconds to wait while it is in progress' }
  ),
  429: problem('Too many keys are kept')
} as const

import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { AuditHeaders } from '../../../schemas/audit.ts'
import type { AuditOutcome, WriteDescription } from '../../queue-app/audit/audit-entry.ts'
import { createTaskDashboardError } from '../../errors.ts'
import { isAdmitted } from '../access/access-hook.ts'
import { clientAddressOf } from '../access/client-address.ts'
import { isWrite } from '../actions.ts'
import { auditOf, limitsOf, reasonsRequiredBy, userOf } from '../decorators.ts'
import { logSafely } from '../http/error-handler.ts'
import type { RegisteredConfig } from '../http/routes/route-config.ts'
import { cut } from '../resources/wire-values.ts'
import type { BegunWrite } from './audit-deadlines.ts'
import { describeWrite, MAX_TEXT_LENGTH } from './describe-write.ts'
import { outcomeOf, valueToKeep } from './outcome.ts'
import { reasonFrom } from './reason.ts'

type Handler = (this: FastifyInstance, request: FastifyRequest, reply: FastifyReply) => unknown
type Route = Pick<RouteOptions, 'config' | 'schema'> & { readonly handler: unknown }

const begun = new WeakMap<FastifyRequest, BegunWrite>()
/** Requests that have not passed the checks of the reason and of the rate limit yet. Neither is part of a request's fingerprint. */
const unchecked = new WeakSet<FastifyRequest>()
/** An error response can be sent twice, if a hook fails. */
const recorded = new WeakSet<FastifyRequest>()

/**
 * Makes a route that writes create an entry in the audit log before it changes anything. If the entry cannot be written, the request is
 * refused and nothing is changed.
 */
export function auditWrites<Options extends Route>(options: Options): Options {
  const { action, before, changes } = (options.config ?? {}) as unknown as Partial<RegisteredConfig>
  // Fastify refuses a route without an action (api.ts).
  if (action === undefined || !isWrite(action)) return options
  const handler = options.handler as Handler
  const { headers, ...schema } = options.schema as { headers?: object }
  return {
    ...options,
    schema: { ...schema, headers: withReason(headers) },
    async handler(this: FastifyInstance, request: FastifyRequest, reply: FastifyReply) {
      unchecked.add(request)
      if (changes?.(request) === false) {
        await refuseFlood(request, await userOf(request))
        unchecked.delete(request)
        return handler.call(this, request, reply)
      }
      const reason = reasonOf(request)
      if (reason === null && reasonsRequiredBy(request).includes(action)) throw createTaskDashboardError('REASON_REQUIRED', [action])
      const actor = await userOf(request)
      await refuseFlood(request, actor)
      unchecked.delete(request)
      begun.set(request, await auditOf(request).begin(async () => {
        const standing = await before?.(request) ?? null
        return { ...describeWrite(request, standing), actor, reason, ...valueToKeep('before', standing) }
      }))
      return handler.call(this, request, reply)
    }
  }
}

/** Whether a write was refused because of its reason or the rate limit. The same request may succeed when it is repeated. */
export function isRefusedForNow(request: FastifyRequest): boolean {
  return unchecked.has(request)
}

async function refuseFlood(request: FastifyRequest, actor: string | null): Promise<void> {
  const seconds = await limitsOf(request).countWrite(clientAddressOf(request), actor)
  if (seconds === null) return
  throw createTaskDashboardError('TOO_MANY_WRITES', [seconds], { retryAfterSeconds: seconds })
}

/** An `onSend` hook that runs before compression: records what became of a write. */
export async function recordOutcome(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  const { action, changes } = request.routeOptions.config as unknown as Partial<RegisteredConfig>
  if (changes?.(request) === false) return payload
  // A replayed response was recorded when it was first sent.
  if (action === undefined || !isWrite(action) || recorded.has(request) || reply.hasHeader('idempotent-replayed')) return payload
  recorded.add(request)
  const known = begun.get(request)
  const outcome = outcomeOf(reply.statusCode, payload, known !== undefined)
  // The host's own code for the client's address may throw.
  if (known === undefined) recordRefusal(request, outcome).catch(() => {})
  else {
    await auditOf(request).settle(known.entryId, outcome)
    logWrite(request, known.write, outcome)
  }
  return payload
}

/** The response does not wait for it. */
async function recordRefusal(request: FastifyRequest, outcome: AuditOutcome): Promise<void> {
  const write = {
    ...describeWrite(request),
    // The user is unknown before authentication. With basic authentication, `userOf` would name its user for everybody.
    actor: isAdmitted(request) ? await userOf(request).catch(() => null) : null,
    reason: readableReason(request),
    before: null
  }
  await auditOf(request).refuse(write, outcome)
  logWrite(request, write, outcome)
}

/** A reason that consists only of spaces, visible or not, says nothing. */
const VISIBLE = /[^\p{Z}\p{C}]/u

/** An action with a reason of its own, such as a cancellation, does not need a second one. */
export function reasonOf(request: FastifyRequest): string | null {
  const { reason } = (request.body ?? {}) as { reason?: unknown }
  return reasonFrom(request.headers['audit-reason']) ?? (typeof reason === 'string' && VISIBLE.test(reason) ? reason : null)
}

function readableReason(request: FastifyRequest): string | null {
  try {
    const reason = reasonOf(request)
    return reason === null ? null : cut(reason, MAX_TEXT_LENGTH)
  } catch {
    return null
  }
}

function logWrite(request: FastifyRequest, write: WriteDescription, { outcome, status, code }: AuditOutcome): void {
  const { actor, address, action, resource, reason } = write
  logSafely(request, { audit: { actor, address, action, ...resource, reason, outcome, status, code } }, `${action} ${outcome}`, 'info')
}

function withReason(headers: object | undefined): object {
  const own = (headers ?? {}) as { properties?: object }
  return { ...AuditHeaders, ...own, properties: { ...AuditHeaders.properties, ...own.properties } }
}

import type { FastifyReply, FastifyRequest } from 'fastify'
import { createTaskDashboardError } from '../../errors.ts'
import { ACTIONS, isWrite, type Action } from '../actions.ts'
import type { RegisteredConfig } from '../http/routes/route-config.ts'
import { isGranted } from './decision.ts'
import { logFailure, statusOf } from '../http/error-handler.ts'
import { resourcesOf } from './access-resource.ts'
import { isLocal, isSameSite } from './origin.ts'
import type { UserReader } from './identify.ts'
import type { AccessResource, ResolvedOptions } from '../options.ts'

/** Refuses with 401, or lets pass. */
export type Authenticate = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

type Done = (error?: Error) => void

export type Access = ReturnType<typeof createAccess>

/** Who may do what: every route passes here, whatever it serves. */
export function createAccess(options: ResolvedOptions, authenticate: Authenticate | null, readUser: UserReader) {
  /** Rejects only with AUTHORIZE_FAILED, or a refusal with the status (4xx) that the host gave its error. */
  async function isAllowed(request: FastifyRequest, action: Action, resource: AccessResource): Promise<boolean> {
    const { authorize } = options
    if (authorize === null) return true
    try {
      return await isGranted(() => authorize(request, action, resource))
    } catch (reason) {
      const status = statusOf(reason)
      // Its status is an answer, such as 401 of an expired token. Its text may be anybody's.
      if (status >= 400 && status < 500) throw Object.assign(new Error('authorize refused', { cause: reason }), { statusCode: status })
      throw createTaskDashboardError('AUTHORIZE_FAILED', [action, request.id], { cause: reason })
    }
  }

  /** Every one of the resources must be allowed. */
  async function authorize(request: FastifyRequest, resources: readonly AccessResource[]): Promise<void> {
    const { action } = configOf(request)
    const decisions = await Promise.all(resources.map(resource => isAllowed(request, action, resource)))
    if (decisions.every(Boolean)) return
    throw await isSignedOut(request) ? createTaskDashboardError('SIGNED_OUT') : createTaskDashboardError('FORBIDDEN', [action])
  }

  /** Who could sign in is told so. Without an answer of `identify` that is not known, and the refusal stands as it is. */
  async function isSignedOut(request: FastifyRequest): Promise<boolean> {
    if (options.identify === null) return false
    try {
      return await readUser(request) === null
    } catch (error) {
      logFailure(request, error, 'identify failed')
      return false
    }
  }

  function checkWrite(request: FastifyRequest): void {
    const { action } = configOf(request)
    if (!isWrite(action)) return
    if (!isSameSite(request.raw, options.trustForwarded)) throw createTaskDashboardError('CROSS_SITE_WRITE')
    if (options.readOnly) throw createTaskDashboardError('READ_ONLY', [action])
  }

  async function check(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (options.answers === 'nobody') throw createTaskDashboardError('ACCESS_NOT_CONFIGURED')
    if (options.answers === 'local' && !isLocal(request.raw)) throw createTaskDashboardError('NOT_LOCAL')
    await authenticate?.(request, reply)
    checkWrite(request)
    if (options.authorize !== null && !isNamedInBody(request))
      await authorize(request, resourcesOf(request, options.monitoring.searchNames))
  }

  return {
    onRequest(request: FastifyRequest, reply: FastifyReply, done: Done): void {
      // Nobody is to be asked, and a promise costs as much as the rest of the check.
      if (options.guardedByHost && !isWrite(configOf(request).action)) return done()
      check(request, reply).then(() => done(), refuseWith(done))
    },

    /** Where the resource is in the body, the decision waits for it. */
    preHandler(request: FastifyRequest, _reply: FastifyReply, done: Done): void {
      if (!isNamedInBody(request)) return done()
      authorize(request, [{ taskName: (request.body as { task_name: string }).task_name }]).then(() => done(), refuseWith(done))
    },

    /** What this request may do when no particular resource is meant. */
    async permitted(request: FastifyRequest): Promise<Action[]> {
      const candidates = ACTIONS.filter(action => !(options.readOnly && isWrite(action)))
      const allowed = await Promise.all(candidates.map(action => isAllowed(request, action, {}).catch((error: unknown) => {
        // One that cannot be decided is not offered; the others are known all the same.
        logFailure(request, error)
        return false
      })))
      return candidates.filter((_action, index) => allowed[index])
    }
  }
}

/** Fastify goes on when `done` is called with nothing, or with anything falsy: whatever a check rejects with must refuse. */
function refuseWith(done: Done): (reason: unknown) => void {
  return reason => done(reason instanceof Error ? reason : new Error('An access check rejected without an error', { cause: reason }))
}

function configOf(request: FastifyRequest): RegisteredConfig {
  return request.routeOptions.config as unknown as RegisteredConfig
}

/** What has an address of its own is named by it, body or not. */
function isNamedInBody(request: FastifyRequest): boolean {
  const { body, params } = request.routeOptions.schema ?? {}
  return body !== undefined && params === undefined
}

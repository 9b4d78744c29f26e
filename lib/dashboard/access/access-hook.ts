import type { FastifyReply, FastifyRequest } from 'fastify'
import { createTaskDashboardError } from '../../errors.ts'
import { ACTIONS, isOfHistory, isOfManaged, isWrite, type Action } from '../actions.ts'
import type { RegisteredConfig } from '../http/routes/route-config.ts'
import { isGranted, refusalOfHost } from './decision.ts'
import { logFailure } from '../http/error-handler.ts'
import { resourcesOf, taskInBody } from './access-resource.ts'
import { isLocal } from './is-local.ts'
import { isSameSite } from './is-same-site.ts'
import { tasksOf } from './tasks-of-resource.ts'
import type { Monitoring } from '../../queue-app/monitoring/monitoring.ts'
import type { SeesTask } from './callbacks.ts'
import { askScope } from './scope.ts'
import type { UserReader } from './identify.ts'
import type { AccessResource, ResolvedOptions } from '../options.ts'

/** Rejects with 401, or lets the request pass. */
export type Authenticate = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

type Done = (error?: Error) => void

const admitted = new WeakSet<FastifyRequest>()

/** Whether the request passed authentication, so that its user is known; it may have been refused afterwards. */
export function isAdmitted(request: FastifyRequest): boolean {
  return admitted.has(request)
}

export type Access = ReturnType<typeof createAccess>

/** What a request sees of the queue app. */
interface Views {
  /** Called with what the request may see, if the option `scope` is set. */
  enter(request: FastifyRequest, sees: SeesTask | null): void
  of(request: FastifyRequest): { readonly monitoring: Monitoring }
}

/** Decides who may do what. Every route goes through it, whatever it serves. */
export function createAccess(options: ResolvedOptions, authenticate: Authenticate | null, readUser: UserReader, views: Views) {
  /** Rejects only with AUTHORIZE_FAILED, or with the status (4xx) that the host set on its error. */
  async function isAllowed(request: FastifyRequest, action: Action, resource: AccessResource): Promise<boolean> {
    const { authorize } = options
    if (authorize === null) return true
    try {
      return await isGranted(() => authorize(request, action, resource))
    } catch (reason) {
      throw refusalOfHost('authorize', reason, createTaskDashboardError('AUTHORIZE_FAILED', [action, request.id], { cause: reason }))
    }
  }

  /** Every one of the resources must be allowed. */
  async function authorize(request: FastifyRequest, resources: readonly AccessResource[]): Promise<void> {
    const { action } = configOf(request)
    const decisions = await Promise.all(resources.map(resource => isAllowed(request, action, resource)))
    if (decisions.every(Boolean)) return
    throw await isSignedOut(request) ? createTaskDashboardError('SIGNED_OUT') : createTaskDashboardError('FORBIDDEN', [action])
  }

  /**
   * Decides again once the task of the named resource is known. The first decision comes before this, so a request that is refused anyway
   * causes no store lookup. A resource that the scope hides has no task here: the response must be the same as for an unknown id.
   */
  async function authorizeTasks(request: FastifyRequest): Promise<void> {
    const { monitoring } = views.of(request)
    const [named = {}] = resourcesOf(request, monitoring)
    const taskNames = await tasksOf(named, monitoring)
    if (taskNames.length > 0) await authorize(request, taskNames.map(taskName => ({ ...named, taskName })))
  }

  /** Whether signing in could help. If `identify` fails, this is unknown, and the refusal stays as it is. */
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
    admitted.add(request)
    checkWrite(request)
    if (options.authorize !== null && !isNamedInBody(request))
      await authorize(request, resourcesOf(request, options.monitoring))
    if (options.scope !== null) views.enter(request, await askScope(options.scope, request))
  }

  return {
    /** Calls only the host's policy. Whether the request may get this far was decided when it came in. */
    isAllowed,

    onRequest(request: FastifyRequest, reply: FastifyReply, done: Done): void {
      // Fast path: there is nothing to decide, and a promise costs as much as the rest of the check.
      if (options.guardedByHost && options.scope === null && !isWrite(configOf(request).action)) return done()
      check(request, reply).then(() => done(), refuseWith(done))
    },

    /** If the resource is in the body, the decision waits for the body. If only a store knows its task, there is a second decision. */
    preHandler(request: FastifyRequest, _reply: FastifyReply, done: Done): void {
      if (isNamedInBody(request)) {
        const taskName = taskInBody(request)
        return void authorize(request, [taskName === undefined ? {} : { taskName }]).then(() => done(), refuseWith(done))
      }
      if (options.authorize === null || !isWrite(configOf(request).action)) return done()
      authorizeTasks(request).then(() => done(), refuseWith(done))
    },

    /** The actions that this request may perform, on a task or when no particular resource is named. */
    async permitted(request: FastifyRequest, taskName?: string): Promise<Action[]> {
      const { supports } = options.monitoring
      const { manages } = supports
      const changes = mayChange(supports, taskName)
      const resource = taskName === undefined ? {} : { taskName }
      const candidates = ACTIONS.filter(action => !isWrite(action) ||
        !options.readOnly && (changes || isOfHistory(action) || manages && isOfManaged(action)))
      const allowed = await Promise.all(candidates.map(action => isAllowed(request, action, resource).catch((error: unknown) => {
        // An action that cannot be decided is left out; the others are still returned.
        logFailure(request, error)
        return false
      })))
      return candidates.filter((_action, index) => allowed[index])
    }
  }
}

/** Whether this task can be changed. Without a task: whether anything can be changed. */
export function mayChange({ changes, changesOf }: Monitoring['supports'], taskName: string | undefined): boolean {
  return taskName === undefined ? changes : changesOf?.(taskName) ?? changes
}

/** Fastify continues if `done` gets a falsy value. So whatever a check rejects with, pass an error. */
function refuseWith(done: Done): (reason: unknown) => void {
  return reason => done(reason instanceof Error ? reason : new Error('An access check rejected without an error', { cause: reason }))
}

function configOf(request: FastifyRequest): RegisteredConfig {
  return request.routeOptions.config as unknown as RegisteredConfig
}

/** A resource with an address of its own is named by that address, whether or not there is a body. */
function isNamedInBody(request: FastifyRequest): boolean {
  const { body, params } = request.routeOptions.schema ?? {}
  return body !== undefined && params === undefined
}

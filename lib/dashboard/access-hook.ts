import type { FastifyReply, FastifyRequest } from 'fastify'
import { createTaskDashboardError } from '../errors.ts'
import { ACTIONS, isWrite, type Action } from './actions.ts'
import type { RegisteredConfig } from './api.ts'
import { isLocal, isSameSite } from './origin.ts'
import type { AccessResource, ResolvedOptions } from './options.ts'

/** Refuses with 401, or lets pass. */
export type Authenticate = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

type Done = (error?: Error) => void

export type Access = ReturnType<typeof createAccess>

/** Who may do what: every route passes here, whatever it serves. */
export function createAccess(options: ResolvedOptions, authenticate: Authenticate | null) {
  const isOpen = authenticate !== null || options.authorize !== null || options.guardedByHost

  async function isAllowed(request: FastifyRequest, action: Action, resource: AccessResource): Promise<boolean> {
    // Anything but true denies: a forgotten return must not open the door.
    return options.authorize === null || await options.authorize(request, action, resource) === true
  }

  async function authorize(request: FastifyRequest, resource: AccessResource): Promise<void> {
    const { action } = configOf(request)
    if (!await isAllowed(request, action, resource)) throw createTaskDashboardError('FORBIDDEN', [action])
  }

  function checkWrite(request: FastifyRequest): void {
    const { action } = configOf(request)
    if (!isWrite(action)) return
    if (!isSameSite(request.raw, options.trustForwarded)) throw createTaskDashboardError('CROSS_SITE_WRITE')
    if (options.readOnly) throw createTaskDashboardError('READ_ONLY', [action])
  }

  async function check(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (!isOpen && !isLocal(request.raw)) throw createTaskDashboardError('NOT_LOCAL')
    await authenticate?.(request, reply)
    checkWrite(request)
    if (!isNamedInBody(request)) await authorize(request, resourceOf(request))
  }

  return {
    onRequest(request: FastifyRequest, reply: FastifyReply, done: Done): void {
      // Nobody is to be asked, and a promise costs as much as the rest of the check.
      if (options.guardedByHost && !isWrite(configOf(request).action)) return done()
      check(request, reply).then(() => done(), refuse(request, done))
    },

    /** Where the resource is in the body, the decision waits for it. */
    preHandler(request: FastifyRequest, _reply: FastifyReply, done: Done): void {
      if (!isNamedInBody(request)) return done()
      authorize(request, { taskName: (request.body as { task_name: string }).task_name }).then(() => done(), refuse(request, done))
    },

    /** What this request may do when no particular resource is meant. */
    async permitted(request: FastifyRequest): Promise<Action[]> {
      const candidates = ACTIONS.filter((action) => !(options.readOnly && isWrite(action)))
      const allowed = await Promise.all(candidates.map((action) => isAllowed(request, action, {})))
      return candidates.filter((_action, index) => allowed[index])
    }
  }
}

/** Fastify goes on when `done` is called with nothing, or with anything falsy: a rejection without an error must refuse all the same. */
function refuse(request: FastifyRequest, done: Done): (reason: unknown) => void {
  return (reason) => done(reason instanceof Error ? reason : createTaskDashboardError('FORBIDDEN', [configOf(request).action]))
}

function configOf(request: FastifyRequest): RegisteredConfig {
  return request.routeOptions.config as unknown as RegisteredConfig
}

/** What has an address of its own is named by it, body or not. */
function isNamedInBody(request: FastifyRequest): boolean {
  const { body, params } = request.routeOptions.schema ?? {}
  return body !== undefined && params === undefined
}

function resourceOf(request: FastifyRequest): AccessResource {
  const { name, id } = (request.params ?? {}) as { name?: string; id?: string }
  if (name !== undefined) return { taskName: name }
  if (id === undefined) return {}
  return request.routeOptions.url!.includes('/api/schedules/') ? { scheduleId: id } : { executionId: id }
}

import type { FastifyRequest } from 'fastify'
import type { WriteDescription } from '../../queue-app/audit/audit-entry.ts'
import { resourcesOf, taskInBody } from '../access/access-resource.ts'
import { clientAddressOf } from '../access/client-address.ts'
import { taskOfQueueOf } from '../decorators.ts'
import { pathOf } from '../http/routes/address.ts'
import type { RegisteredConfig } from '../http/routes/route-config.ts'
import { cut } from '../resources/wire-values.ts'

/** Longer texts from the request are cut, because it may not have been validated. */
export const MAX_TEXT_LENGTH = 1_000

type Described = Omit<WriteDescription, 'actor' | 'reason' | 'before'>

/**
 * What a request is about to change, as far as the request itself shows.
 * @param before the state before the change, if it was read; it has the task for certain
 */
export function describeWrite(request: FastifyRequest, before: object | null = null): Described {
  const { action } = request.routeOptions.config as unknown as RegisteredConfig
  const taskName = taskInBody(request)
  // A write has no search. The log does not record the queue, only its task.
  const [{ queue: _queue, ...named } = {}] = resourcesOf(request, { searchNames: () => NO_NAMES, taskOfQueue: taskOfQueueOf(request) })
  return {
    address: clientAddressOf(request),
    action,
    resource: {
      ...taskName !== undefined && { taskName: cut(taskName, MAX_TEXT_LENGTH) }, ...named, ...taskOf(before)
    },
    method: request.method,
    path: cut(pathOf(request.url).slice(request.server.prefix.length), MAX_TEXT_LENGTH),
    requestId: request.id
  }
}

const NO_NAMES = { taskNames: [], scheduleIds: [], executionIds: [] }

function taskOf(before: object | null): { readonly taskName?: string } {
  const { task_name: taskName } = (before ?? {}) as { task_name?: unknown }
  return typeof taskName === 'string' ? { taskName } : {}
}

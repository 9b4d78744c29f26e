import type { FastifyRequest } from 'fastify'
import type { WriteDescription } from '../../queue-app/audit/audit-entry.ts'
import { resourcesOf, taskInBody } from '../access/access-resource.ts'
import { clientAddressOf } from '../access/client-address.ts'
import { pathOf } from '../http/routes/address.ts'
import type { RegisteredConfig } from '../http/routes/route-config.ts'
import { cut } from '../resources/wire-values.ts'

/** Of what the request contains: it may not have been validated. */
export const MAX_TEXT_LENGTH = 1_000

type Described = Omit<WriteDescription, 'actor' | 'reason' | 'before'>

/** What a request is about to change, as far as the request itself tells. */
export function describeWrite(request: FastifyRequest): Described {
  const { action } = request.routeOptions.config as unknown as RegisteredConfig
  const taskName = taskInBody(request)
  return {
    address: clientAddressOf(request),
    action,
    resource: {
      ...taskName !== undefined && { taskName: cut(taskName, MAX_TEXT_LENGTH) }, ...resourcesOf(request, NAMES)[0]
    },
    method: request.method,
    path: cut(pathOf(request.url).slice(request.server.prefix.length), MAX_TEXT_LENGTH),
    requestId: request.id
  }
}

/** A write has no search. A queue goes by the name that was asked for; the answer names its task. */
const NAMES: Parameters<typeof resourcesOf>[1] = {
  searchNames: () => ({ taskNames: [], scheduleIds: [], executionIds: [] }), taskOfQueue: name => name
}

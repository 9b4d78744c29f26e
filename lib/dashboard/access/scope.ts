import type { FastifyRequest } from 'fastify'
import { withDeadline } from '../../time/deadline.ts'
import { createTaskDashboardError } from '../../errors.ts'
import type { Scope, SeesTask } from './callbacks.ts'
import { DECISION_DEADLINE_MS, refusalOfHost } from './decision.ts'

/**
 * Which tasks a request may see. The host is asked once. Rejects with SCOPE_FAILED, or with the status (4xx) that the host set on its
 * error.
 */
export async function askScope(scope: Scope, request: FastifyRequest): Promise<SeesTask | null> {
  try {
    const said: unknown = await withDeadline((async () => scope(request))(), DECISION_DEADLINE_MS, 'scope did not answer')
    if (said === null) return null
    // A forgotten return must not show everything.
    if (typeof said !== 'function') throw new TypeError(`scope returned ${typeof said}: it must return null or a function`)
    return said as SeesTask
  } catch (reason) {
    throw refusalOfHost('scope', reason, createTaskDashboardError('SCOPE_FAILED', [request.id], { cause: reason }))
  }
}

import type { FastifyRequest } from 'fastify'
import type { Access } from '../../access/access-hook.ts'
import type { Action } from '../../actions.ts'
import { scopeOf, type SessionReader } from '../../decorators.ts'
import { logFailure } from '../../http/error-handler.ts'
import type { UserReader } from '../../access/identify.ts'
import type { ResolvedOptions } from '../../options.ts'
import { answerOf } from '../answer.ts'
import { VERSION } from '../../../version.ts'

/** The user and their permissions, for the interface. */
export function createCurrentSession(options: ResolvedOptions, access: Access, readUser: UserReader): SessionReader {
  return async (request, taskName) => ({
    user: await nameOf(request),
    sign_in_url: options.signInUrl,
    actions: taskName === undefined ? await access.permitted(request) : await permittedWith(request, taskName),
    varies_by_task: options.authorize !== null,
    read_only: options.readOnly,
    reason_required: [...options.requireReason],
    title: options.title,
    environment: options.environment,
    logo: options.theme.logo,
    back_link: options.theme.backLink,
    version: VERSION,
    broker: options.monitoring.stores.broker,
    backend: options.monitoring.stores.backend,
    history_ends: options.monitoring.endsWithProcess,
    supports: { search: options.monitoring.supports.search, changes: options.monitoring.supports.changes }
  })

  /** Nothing with a task that the scope hides, as with a name that was made up. */
  async function permittedWith(request: FastifyRequest, taskName: string): Promise<Action[]> {
    const { monitoring, sees } = scopeOf(request)
    if (sees !== null && await answerOf(monitoring, () => monitoring.task(taskName)) === null) return []
    return access.permitted(request, { taskName })
  }

  /** A page without a user name is better than no page. */
  async function nameOf(request: FastifyRequest): Promise<string | null> {
    try {
      return (await readUser(request))?.name ?? null
    } catch (error) {
      logFailure(request, error, 'identify failed')
      return null
    }
  }
}

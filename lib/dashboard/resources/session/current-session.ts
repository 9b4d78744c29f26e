import type { FastifyRequest } from 'fastify'
import { mayChange, type Access } from '../../access/access-hook.ts'
import { scopeOf, type SessionReader } from '../../decorators.ts'
import { logFailure } from '../../http/error-handler.ts'
import type { UserReader } from '../../access/identify.ts'
import type { ResolvedOptions } from '../../options.ts'
import { answerOf } from '../answer.ts'
import { VERSION } from '../../../version.ts'

/** The user and their permissions, for the interface. */
export function createCurrentSession(options: ResolvedOptions, access: Access, readUser: UserReader): SessionReader {
  const { supports } = options.monitoring
  return async (request, asked) => {
    const taskName = asked !== undefined && await isSeen(request, asked) ? asked : undefined
    return {
      user: await nameOf(request),
      sign_in_url: options.signInUrl,
      actions: asked === taskName ? await access.permitted(request, taskName) : [],
      varies_by_task: options.authorize !== null || supports.changesOf !== undefined,
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
      supports: {
        search: supports.search,
        changes: mayChange(supports, taskName)
      }
    }
  }

  /** A task that the scope hides is treated like one that does not exist. */
  async function isSeen(request: FastifyRequest, taskName: string): Promise<boolean> {
    const { monitoring, sees } = scopeOf(request)
    return sees === null || await answerOf(monitoring, () => monitoring.task(taskName)) !== null
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

import type { FastifyRequest } from 'fastify'
import type { Session } from '../../../schemas/session.ts'
import { withDeadline } from '../../time/deadline.ts'
import { healthOf, statsOf } from '../decorators.ts'
import type { FirstAnswers } from './page.ts'

/** A page does not wait longer for them: it asks for itself what it was not given. */
const WAIT_MS = 100

/** Health and statistics, as far as they are there in time and the reader may see them. */
export async function firstAnswers(request: FastifyRequest, { actions }: Session): Promise<FirstAnswers> {
  const inTime = async <Answer>(action: string, ask: () => Promise<Answer>): Promise<Answer | null> =>
    actions.includes(action) ? withDeadline(ask(), WAIT_MS, `No answer for ${action}`).catch(() => null) : null
  const [health, stats] = await Promise.all([
    inTime('health:view', async () => healthOf(request)()), inTime('stats:view', async () => statsOf(request).read())
  ])
  return { ...(health && { health }), ...(stats && { stats }) }
}

import type { FastifyRequest } from 'fastify'
import type { Session } from '../../../schemas/session.ts'
import { withDeadline } from '../../time/deadline.ts'
import { healthOf, isAllowedOf, statsOf } from '../decorators.ts'
import { logFailure } from '../http/error-handler.ts'
import { pathOf } from '../http/routes/address.ts'
import { firstReads, type Ask, type FirstRead } from './first-reads.ts'
import type { FirstAnswers } from './page.ts'

/** A page does not wait longer for them: it asks for itself what it was not given. */
const WAIT_MS = 100
/** A longer answer would delay the page that holds it. */
const MAX_ANSWER_LENGTH = 200_000

/**
 * Health, statistics and what the page asks first, as far as they are there in time and the reader may see them.
 * @param page the path below the mount, such as `/failures`
 */
export async function firstAnswers(request: FastifyRequest, { actions }: Session, page: string): Promise<FirstAnswers> {
  const now = Date.now()
  const inTime = <Answer>(what: string, ask: () => Promise<Answer>): Promise<Answer | null> =>
    withDeadline(ask(), WAIT_MS, `No answer for ${what}`).catch(() => null)
  const visible = async <Answer>(action: string, ask: () => Promise<Answer>): Promise<Answer | null> =>
    (actions.includes(action) ? inTime(action, ask) : null)

  const reads: Record<string, string> = {}
  async function answer(read: FirstRead): Promise<void> {
    if (!await mayRead(request, actions, read)) return
    const body = await read.answer(request)
    if (body === undefined) return
    const text = JSON.stringify(body)
    if (text.length <= MAX_ANSWER_LENGTH) reads[read.address] = text
    await answerAll(read.next?.(body as never) ?? [])
  }
  const answerAll = async (all: readonly FirstRead[]): Promise<void> => {
    await Promise.all(distinct(all).map(read => inTime(read.address, () => answer(read))))
  }

  const [health, stats] = await Promise.all([
    visible('health:view', async () => healthOf(request)()), visible('stats:view', async () => statsOf(request).read()),
    inTime(page, () => answerAll(firstReads(page, askOf(request), now)))
  ])
  return { at: new Date(now).toISOString(), ...(health && { health }), ...(stats && { stats }), reads: { ...reads } }
}

/** A policy that cannot decide refuses. */
async function mayRead(request: FastifyRequest, actions: Session['actions'], { action, resource }: FirstRead): Promise<boolean> {
  if (!actions.includes(action)) return false
  if (Object.keys(resource).length === 0) return true
  try {
    return await isAllowedOf(request)(request, action, resource)
  } catch (error) {
    logFailure(request, error)
    return false
  }
}

/** Read from the address itself, as the browser does: a host may parse queries in its own way. */
function askOf({ url }: FastifyRequest): Ask {
  const parameters = new URLSearchParams(url.slice(pathOf(url).length))
  return name => parameters.get(name) || null
}

function distinct(reads: readonly FirstRead[]): readonly FirstRead[] {
  return [...new Map(reads.map(read => [read.address, read])).values()]
}

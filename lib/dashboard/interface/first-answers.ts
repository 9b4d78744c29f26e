import type { FastifyRequest } from 'fastify'
import type { Session } from '../../../schemas/session.ts'
import { healthOf, isAllowedOf, statsOf } from '../decorators.ts'
import { logFailure } from '../http/error-handler.ts'
import { pathOf } from '../http/routes/address.ts'
import { firstReads, type Ask, type FirstRead } from './first-reads.ts'
import { readsText, type FirstAnswers } from './page.ts'

/** The longest time that a page waits for these. It requests whatever is missing itself. */
const WAIT_MS = 100
/** A longer response would delay the page that contains it. */
const MAX_ANSWER_LENGTH = 200_000

/**
 * Health, statistics and the first requests of the page, as far as they are ready in time and the reader may see them. The dashboard makes
 * its requests after it has shown the statistics.
 * @param page the path below the mount, such as `/failures`
 */
export async function firstAnswers(request: FastifyRequest, session: Session, page: string): Promise<FirstAnswers> {
  const now = Date.now()
  const { late, clear } = waitFor(WAIT_MS)
  const visible = async <Answer>(action: string, ask: () => Promise<Answer>): Promise<Answer | null> =>
    (session.actions.includes(action) ? Promise.race([ask().catch(() => null), late]) : null)
  const [health, stats, reads] = await Promise.all([
    visible('health:view', async () => healthOf(request)()), visible('stats:view', async () => statsOf(request).read()),
    page === '/' ? {} : readsInTime(request, session, page, now, late)
  ])
  clear()
  return { at: new Date(now).toISOString(), ...(health && { health }), ...(stats && { stats }), reads }
}

/** The responses to the dashboard's first requests, as JSON. */
export async function readsOfDashboard(request: FastifyRequest, session: Session): Promise<string> {
  const { late, clear } = waitFor(WAIT_MS)
  const reads = await readsInTime(request, session, '/', Date.now(), late)
  clear()
  return readsText(reads)
}

async function readsInTime(
  request: FastifyRequest, { actions }: Session, page: string, now: number, late: Promise<null>
): Promise<FirstAnswers['reads']> {
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
    await Promise.all(distinct(all).map(read => answer(read).catch(() => {})))
  }
  await Promise.race([answerAll(firstReads(page, askOf(request), now)), late])
  return { ...reads }
}

/**
 * Waits `ms`, and once more if this process was blocked, because responses that came in time may still be unread. Not a third
 * time, because the page can make the requests itself.
 */
function waitFor(ms: number): { readonly late: Promise<null>; readonly clear: () => void } {
  const startedAt = performance.now()
  let timer: NodeJS.Timeout
  const late = new Promise<null>(resolve => {
    const end = (): void => { setImmediate(resolve, null) }
    timer = setTimeout(() => {
      if (performance.now() - startedAt < 1.5 * ms) return end()
      timer = setTimeout(end, ms)
    }, ms)
  })
  return { late, clear: () => clearTimeout(timer) }
}

/** A policy that cannot decide counts as a refusal. */
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

/** Parsed from the address itself, as the browser does, because a host may parse queries in its own way. */
function askOf({ url }: FastifyRequest): Ask {
  const parameters = new URLSearchParams(url.slice(pathOf(url).length))
  return name => parameters.get(name) || null
}

function distinct(reads: readonly FirstRead[]): readonly FirstRead[] {
  return [...new Map(reads.map(read => [read.address, read])).values()]
}

import type { Health, Stats } from '../../../schemas/index.ts'
import { noteServerTime } from '../format/time/clock.ts'
import { isForFirstPaint, toFirstAnswer } from './first-answer.ts'
import { mountUrl } from './mount-url.ts'

/** JSON that the server wrote into the page, so that its first paint needs no request; undefined if there is none. */
export function readEmbedded(id: string): unknown {
  try {
    return JSON.parse(document.getElementById(id)?.textContent ?? '')
  } catch {
    return undefined
  }
}

interface Answers {
  readonly at?: string
  readonly health?: Health
  readonly stats?: Stats
  /** Responses of the API, by their address below the mount. */
  readonly reads?: Readonly<Record<string, unknown>>
}

const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]

/** A page from the browser's cache, for example after Back, contains old data. */
export function isFresh(): boolean {
  return navigation !== undefined && navigation.transferSize > 0 && navigation.type !== 'back_forward'
}

/** Milliseconds since the epoch. */
export const loadedAt = Date.now()
const answers: Answers = isFresh() ? readEmbedded('task-dashboard-answers') as Answers ?? {} : {}
if (answers.at && navigation)
  noteServerTime(answers.at, performance.timeOrigin + navigation.requestStart, performance.timeOrigin + navigation.responseStart)
const isHome = location.pathname.replace(/\/$/, '') === mountUrl.pathname.replace(/\/$/, '')
/** Timeout of the one request for all first reads. After it, each view sends its own requests. */
const LATER_WITHIN_MS = 2_000
let reads = new Map(Object.entries(answers.reads ?? {}))
/** The dashboard shows its statistics first. Everything else arrives later, in one response. */
const later: Promise<void> | null = isHome && isFresh() && answers.at ? readLater() : null

async function readLater(): Promise<void> {
  try {
    const url = new URL(`first-reads.json${location.search}`, mountUrl)
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(LATER_WITHIN_MS) })
    if (response.ok) reads = new Map(Object.entries(await response.json() as Record<string, unknown>))
  } catch {
    // Then each view sends its own requests.
  }
}

/**
 * The API response that the server sent along with the page. Only the first caller gets it; undefined if there is none.
 * @param address below the mount, with its query
 */
export async function takeFirstRead(address: string): Promise<unknown> {
  await later
  const answer = reads.get(address)
  reads.delete(address)
  return isForFirstPaint(loadedAt) ? answer : undefined
}

/** How long the embedded responses count as fresh. After that, polling fetches new ones. */
const STALE_AFTER_MS = 2_000

/** Options of a query whose first response may be embedded in the page. */
export function firstAnswer<Name extends 'health' | 'stats'>(name: Name) {
  return toFirstAnswer(answers[name], loadedAt, STALE_AFTER_MS)
}

import type { Health, Stats } from '../../../schemas/index.ts'
import { toFirstAnswer } from './first-answer.ts'

/** JSON that the server wrote into the page, so that its first paint needs no request; undefined where there is none. */
export function readEmbedded(id: string): unknown {
  try {
    return JSON.parse(document.getElementById(id)?.textContent ?? '')
  } catch {
    return undefined
  }
}

interface Answers { readonly health?: Health; readonly stats?: Stats }

/** A page out of the browser's cache, on the way back for example, holds what was true once. */
export function isFresh(): boolean {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return navigation !== undefined && navigation.transferSize > 0 && navigation.type !== 'back_forward'
}

/** Milliseconds since the epoch. */
export const loadedAt = Date.now()
const answers: Answers = isFresh() ? readEmbedded('task-dashboard-answers') as Answers ?? {} : {}
/** So long the first answers count as new: what polls asks again by itself. */
const STALE_AFTER_MS = 2_000

/** Options of a query whose first answer may be in the page. */
export function firstAnswer<Name extends keyof Answers>(name: Name) {
  return toFirstAnswer(answers[name], loadedAt, STALE_AFTER_MS)
}

import { formatClock } from '../time/time.ts'
import { statsTexts } from '../../texts/stats.ts'

/**
 * An input of the verdict, and how far it can be trusted. `at`: when the response arrived. `reason`: why a response that arrived is of no
 * use. `stale`: the newest request failed. The value is from the previous response, if there was one, which arrived `at`.
 */
export type Seen<T> =
  | { readonly state: 'known'; readonly value: T; readonly at: number }
  | { readonly state: 'unknown'; readonly reason?: string }
  | { readonly state: 'forbidden' }
  | { readonly state: 'stale'; readonly value: T | null; readonly at: number; readonly since: number | null; readonly message: string }

/** Polls are sent every few seconds. A response older than this is stale, whatever delayed the next one. */
export const OLD_AFTER_MS = 30_000

/** The time of a figure, if it is not current: a tab that slept has old figures. */
export function asOf(seen: Seen<unknown>, now: number): string | null {
  if (seen.state === 'stale') return statsTexts.asOfStale(formatClock(seen.at, now))
  return seen.state === 'known' && now - seen.at > OLD_AFTER_MS ? statsTexts.asOf(formatClock(seen.at, now)) : null
}

export function valueOf<T>(seen: Seen<T>): T | null {
  return seen.state === 'known' || seen.state === 'stale' ? seen.value : null
}

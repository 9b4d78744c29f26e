import { formatClock } from '../time/time.ts'
import { statsTexts } from '../../texts/stats.ts'

/**
 * What the verdict rests on, and how far it can be trusted. `at`: when it arrived. `reason`: why an answer that did arrive says nothing.
 * `stale`: the newest request failed, and this is the answer before it, if there was one; it arrived `at`.
 */
export type Seen<T> =
  | { readonly state: 'known'; readonly value: T; readonly at: number }
  | { readonly state: 'unknown'; readonly reason?: string }
  | { readonly state: 'forbidden' }
  | { readonly state: 'stale'; readonly value: T | null; readonly at: number; readonly since: number | null; readonly message: string }

/** Polls come every few seconds. An answer older than this is not news, whatever kept the next one. */
export const OLD_AFTER_MS = 30_000

/** When a figure was true, if that is not now; a tab that slept has figures from before. */
export function asOf(seen: Seen<unknown>, now: number, oldAfterMs = OLD_AFTER_MS): string | null {
  if (seen.state === 'stale') return statsTexts.asOfStale(formatClock(seen.at, now))
  return seen.state === 'known' && now - seen.at > oldAfterMs ? statsTexts.asOf(formatClock(seen.at, now)) : null
}

export function valueOf<T>(seen: Seen<T>): T | null {
  return seen.state === 'known' || seen.state === 'stale' ? seen.value : null
}

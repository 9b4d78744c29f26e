import { useSyncExternalStore } from 'react'
import { recovering } from '../api/query-client.ts'
import { OLD_AFTER_MS } from '../format/health/seen.ts'
import { currentTime } from '../format/time/clock.ts'
import { createListeners } from './listeners.ts'

let pausedSince: number | null = null
const { tell, subscribe } = createListeners()

export function togglePause(): void {
  pausedSince = pausedSince === null ? currentTime() : null
  tell()
}

/** Since when updates are paused; null while they run. */
export function usePausedSince(): number | null {
  return useSyncExternalStore(subscribe, () => pausedSince)
}

/** A page that no one has touched for this long polls less often, by this factor. */
const STILL_AFTER_MS = 10_000
const STILL_FACTOR = 3
/** Well below the age at which a response counts as old, so that nothing is called stale only because no one touches the page. */
const MAX_STILL_INTERVAL_MS = OLD_AFTER_MS / 2
let touchedAt = performance.now()
for (const event of ['pointermove', 'pointerdown', 'keydown', 'wheel', 'scroll', 'focus'])
  addEventListener(event, () => { touchedAt = performance.now() }, { capture: true, passive: true })

function paceOf(intervalMs: number): number {
  const isStill = performance.now() - touchedAt > STILL_AFTER_MS
  return isStill ? Math.max(intervalMs, Math.min(intervalMs * STILL_FACTOR, MAX_STILL_INTERVAL_MS)) : intervalMs
}

/**
 * When to poll next: after the interval, later while no one touches the page, sooner while requests fail. A hidden tab does not poll at
 * all.
 */
export function usePolling(intervalMs: number): { refetchInterval: false | ((query: Parameters<typeof recovering>[0]) => number) } {
  const isPaused = usePausedSince() !== null
  return { refetchInterval: !isPaused && (query => Math.min(paceOf(intervalMs), recovering(query) || Infinity)) }
}

import { useSyncExternalStore } from 'react'
import { recovering } from '../api/query-client.ts'
import { currentTime } from '../format/clock.ts'

let pausedSince: number | null = null
const listeners = new Set<() => void>()

export function togglePause(): void {
  pausedSince = pausedSince === null ? currentTime() : null
  for (const listener of listeners) listener()
}

/** Since when updates are paused; null while they run. */
export function usePausedSince(): number | null {
  return useSyncExternalStore(subscribe, () => pausedSince)
}

/** When to ask next: after the interval, or sooner while there is no answer. A hidden tab polls nothing anyway. */
export function usePolling(intervalMs: number): { refetchInterval: false | ((query: Parameters<typeof recovering>[0]) => number) } {
  const isPaused = usePausedSince() !== null
  return { refetchInterval: !isPaused && (query => Math.min(intervalMs, recovering(query) || intervalMs)) }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => { listeners.delete(listener) }
}

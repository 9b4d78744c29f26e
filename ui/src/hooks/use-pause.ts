import { useSyncExternalStore } from 'react'

let pausedSince: number | null = null
const listeners = new Set<() => void>()

export function togglePause(): void {
  pausedSince = pausedSince === null ? Date.now() : null
  for (const listener of listeners) listener()
}

/** Since when updates are paused; null while they run. */
export function usePausedSince(): number | null {
  return useSyncExternalStore(subscribe, () => pausedSince)
}

/** The polling interval to use now. A hidden tab polls nothing anyway. */
export function usePolling(intervalMs: number): { refetchInterval: number | false } {
  return { refetchInterval: usePausedSince() === null ? intervalMs : false }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => { listeners.delete(listener) }
}

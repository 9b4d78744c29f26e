import { probeWrite } from '../../stores/failures/probe-write.ts'
import type { Store } from '../../stores/store.ts'

/** How often the store is pinged, normally and while it is down. */
const PING_EVERY_MS = 5_000
const PING_EVERY_MS_WHILE_LOST = 500

/** Notifies listeners when the broker is back after an outage. */
export function watchReconnects(store: Store): Reconnects {
  const listeners = new Set<() => void>()
  let timer: NodeJS.Timeout | undefined
  let isLost = false
  let isStopped = true

  function pingLater(): void {
    clearTimeout(timer)
    // A store inside this process is only checked after a call found its thread gone.
    if (isStopped || store.kind === 'embedded' && !isLost) return
    timer = setTimeout(() => { void probe().then(found, lost) }, isLost ? PING_EVERY_MS_WHILE_LOST : PING_EVERY_MS).unref()
  }

  async function probe(): Promise<void> {
    await store.ping()
    // After an outage, the store must accept writes: right after a failover it may only serve reads.
    if (isLost) await probeWrite(store.documents)
  }

  function lost(): void {
    isLost = true
    pingLater()
  }

  function found(): void {
    const wasLost = isLost
    isLost = false
    pingLater()
    if (wasLost) for (const listener of listeners) listener()
  }

  return {
    start() {
      isStopped = false
      pingLater()
    },
    stop() {
      isStopped = true
      clearTimeout(timer)
      listeners.clear()
    },
    lost() {
      if (!isLost) lost()
    },
    listen(listener) {
      listeners.add(listener)
      return () => { listeners.delete(listener) }
    }
  }
}

export interface Reconnects {
  start(): void
  stop(): void
  /** Call it when a call found the store down. */
  lost(): void
  /** @returns removes the listener */
  listen(listener: () => void): () => void
}

import { probeWrite } from '../../stores/failures/probe-write.ts'
import type { Store } from '../../stores/store.ts'

/** How often a store is asked whether it is there, in quiet times and while it is known to be away. */
const PING_EVERY_MS = 5_000
const PING_EVERY_MS_WHILE_LOST = 500

/** Tells when the broker is back after it was lost. */
export function watchReconnects(store: Store): Reconnects {
  const listeners = new Set<() => void>()
  let timer: NodeJS.Timeout | undefined
  let isLost = false
  let isStopped = true

  function pingLater(): void {
    clearTimeout(timer)
    // One in this process is looked for only after a call found its thread gone.
    if (isStopped || store.kind === 'embedded' && !isLost) return
    timer = setTimeout(() => { void lookForIt().then(found, lost) }, isLost ? PING_EVERY_MS_WHILE_LOST : PING_EVERY_MS).unref()
  }

  async function lookForIt(): Promise<void> {
    await store.ping()
    // One that was lost is back when it accepts writes: after a failover it may answer reads alone.
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
  /** A call found it away. */
  lost(): void
  /** @returns removes the listener */
  listen(listener: () => void): () => void
}

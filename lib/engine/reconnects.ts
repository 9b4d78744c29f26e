import type { Store } from '../stores/store.ts'

/** How often a SQL store is asked whether it is there; Redis says so itself. */
const PING_EVERY_MS = 5_000

/** Tells when the broker is back after it was lost. */
export function watchReconnects(store: Store): { start(): void; stop(): void; listen(listener: () => void): () => void } {
  const listeners = new Set<() => void>()
  let timer: NodeJS.Timeout | undefined
  let wasLost = false

  const onLost = (): void => { wasLost = true }
  const onBack = (): void => {
    if (!wasLost) return
    wasLost = false
    for (const listener of listeners) listener()
  }

  return {
    start() {
      if (store.kind === 'redis') store.client.on('close', onLost).on('ready', onBack)
      if (store.kind === 'postgres') timer = setInterval(() => { void store.ping().then(onBack, onLost) }, PING_EVERY_MS).unref()
    },
    stop() {
      clearInterval(timer)
      if (store.kind === 'redis') store.client.off('close', onLost).off('ready', onBack)
      listeners.clear()
    },
    listen(listener) {
      listeners.add(listener)
      return () => { listeners.delete(listener) }
    }
  }
}

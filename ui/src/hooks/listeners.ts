export interface Listeners {
  /** Calls back whoever subscribed. */
  tell(this: void): void
  /** For `useSyncExternalStore`. @returns ends the subscription */
  subscribe(this: void, listener: () => void): () => void
}

/** Whoever wants to know when something changes that React does not hold. */
export function createListeners(): Listeners {
  const listeners = new Set<() => void>()
  return {
    tell: () => { for (const listener of listeners) listener() },
    subscribe(listener) {
      listeners.add(listener)
      return () => { listeners.delete(listener) }
    }
  }
}

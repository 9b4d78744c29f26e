export interface Listeners {
  /** Calls all listeners. */
  tell(this: void): void
  /** For `useSyncExternalStore`. @returns ends the subscription */
  subscribe(this: void, listener: () => void): () => void
}

/** The listeners of a value that is stored outside React. */
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

export interface CachedOptions<T> {
  /** Milliseconds for which a value is returned without reloading. */
  readonly freshMs: number
  /** Milliseconds for which `recent` still returns it while it reloads. */
  readonly recentMs: number
  readonly now: () => number
  load(): Promise<T>
}

export interface Cached<T> {
  /** At most `freshMs` old. */
  get(): Promise<T>
  /** Does not wait if a value is at most `recentMs` old. A value that is not fresh reloads in the background. */
  recent(): T | Promise<T>
  forget(): void
}

/** Caches one value, with a single load at a time for all callers. A failed load is not cached. */
export function createCached<T>({ freshMs, recentMs, now, load }: CachedOptions<T>): Cached<T> {
  let current: { readonly value: Promise<T>; readonly at: number } | undefined
  let loaded: { readonly value: T; readonly at: number } | undefined

  function get(): Promise<T> {
    // `abs`, because after the clock is set back the value would otherwise stay forever.
    if (current && Math.abs(now() - current.at) < freshMs) return current.value
    const entry = { value: load(), at: now() }
    current = entry
    entry.value.then(
      value => { if (current === entry) loaded = { value, at: entry.at } },
      () => { if (current === entry) current = undefined }
    )
    return entry.value
  }

  return {
    get,
    recent() {
      const next = get()
      return loaded && Math.abs(now() - loaded.at) < recentMs ? loaded.value : next
    },
    forget() { current = loaded = undefined }
  }
}

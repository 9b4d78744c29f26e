export interface CachedOptions<T> {
  /** Milliseconds for which a value is given without reading again. */
  readonly freshMs: number
  /** Milliseconds for which `recent` still gives it, while it is read again. */
  readonly recentMs: number
  readonly now: () => number
  load(): Promise<T>
}

export interface Cached<T> {
  /** At most `freshMs` old. */
  get(): Promise<T>
  /** Without waiting, at most `recentMs` old; what is not fresh is read again in the background. */
  recent(): T | Promise<T>
  forget(): void
}

/** One value for some time, and one load at a time however many ask. A failed load is not kept. */
export function createCached<T>({ freshMs, recentMs, now, load }: CachedOptions<T>): Cached<T> {
  let current: { readonly value: Promise<T>; readonly at: number } | undefined
  let loaded: { readonly value: T; readonly at: number } | undefined

  function get(): Promise<T> {
    // A clock that was put back would keep it for ever.
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

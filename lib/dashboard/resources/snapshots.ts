/** A hundred polling browsers cost the datastore as much as one. */
const MAX_AGE_MS = 1000
/** Maximum cached queries; the oldest is evicted first. */
const MAX_ENTRIES = 200

export interface Snapshots {
  /** The result of `load` for this key, at most a second old. Concurrent calls share one load; failures are not cached. */
  read<Value>(key: string, load: () => Promise<Value>): Promise<Value>
  /** Clears the cache, after a write. */
  clear(): void
}

interface Entry { readonly value: Promise<unknown>; expiresAt: number }

export function createSnapshots(now: () => number = Date.now): Snapshots {
  let entries = new Map<string, Entry>()

  return {
    read<Value>(key: string, load: () => Promise<Value>): Promise<Value> {
      const known = entries.get(key)
      if (known && known.expiresAt > now()) return known.value as Promise<Value>
      // A write replaces the map. A load that started before it is returned but not cached.
      const own = entries
      const entry: Entry = { value: load(), expiresAt: Infinity }
      own.delete(key)
      if (own.size >= MAX_ENTRIES) own.delete(own.keys().next().value!)
      own.set(key, entry)
      entry.value.then(
        () => { entry.expiresAt = now() + MAX_AGE_MS },
        () => { if (own.get(key) === entry) own.delete(key) }
      )
      return entry.value as Promise<Value>
    },
    clear() { entries = new Map() }
  }
}

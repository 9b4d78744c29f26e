/** A hundred browsers that poll cost the datastore what one costs. */
const MAX_AGE_MS = 1000
/** Distinct queries kept at a time; the oldest goes first. */
const MAX_ENTRIES = 200

export interface Snapshots {
  /** What `load` gave for this key at most a second ago. Concurrent calls share one load; failures are not kept. */
  read<Value>(key: string, load: () => Promise<Value>): Promise<Value>
  /** Forgets everything, after a write. */
  clear(): void
}

interface Entry { readonly value: Promise<unknown>; expiresAt: number }

export function createSnapshots(now: () => number = Date.now): Snapshots {
  let entries = new Map<string, Entry>()

  return {
    read<Value>(key: string, load: () => Promise<Value>): Promise<Value> {
      const known = entries.get(key)
      if (known && known.expiresAt > now()) return known.value as Promise<Value>
      // A write replaces the map: a load that began before it is answered, but not kept.
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

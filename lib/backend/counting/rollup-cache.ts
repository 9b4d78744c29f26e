import { type PackedTally, bytesOfTally } from './tally.ts'

/** For each of the two caches. A week of hours, or a day of 50 tasks, takes one or two megabytes of it. */
const MAX_CACHE_BYTES = 8 * 1024 * 1024
/** For a name, its version and the map entries. */
const BYTES_PER_NAME = 300

/** A decoded roll-up and its version from the datastore. It is valid while the version stays the same. */
interface KnownRollup<Value> { readonly version: string; readonly value: Value }

export interface RollupCache<Value> {
  get(name: string): KnownRollup<Value> | undefined
  set(name: string, known: KnownRollup<Value>): void
  readonly bytes: number
  clear(): void
}

export interface RollupCaches {
  readonly tallies: RollupCache<PackedTally>
  /** All tasks in one hour. */
  readonly byTask: RollupCache<ReadonlyMap<string, PackedTally>>
  clear(): void
}

/**
 * Decoded roll-ups of one backend. Past hours hardly ever change, and decoding a week of them takes ten times as long as checking whether
 * they have changed. So every read checks, and fetches only those that have.
 */
export function createRollupCaches(bytes = MAX_CACHE_BYTES): RollupCaches {
  const tallies = createRollupCache(bytes, bytesOfTally)
  const byTask = createRollupCache(bytes, (value: ReadonlyMap<string, PackedTally>) =>
    Array.from(value.values()).reduce((sum, tally) => sum + bytesOfTally(tally) + BYTES_PER_NAME, 0))
  return {
    tallies,
    byTask,
    clear() {
      tallies.clear()
      byTask.clear()
    }
  }
}

/** Evicts the least recently read first. */
export function createRollupCache<Value>(maxBytes: number, bytesOf: (value: Value) => number): RollupCache<Value> {
  const entries = new Map<string, { readonly known: KnownRollup<Value>; readonly bytes: number }>()
  let bytes = 0

  function remove(name: string): void {
    bytes -= entries.get(name)?.bytes ?? 0
    entries.delete(name)
  }

  return {
    get bytes() { return bytes },
    get(name) {
      const entry = entries.get(name)
      if (entry === undefined) return undefined
      entries.delete(name)
      entries.set(name, entry)
      return entry.known
    },
    set(name, known) {
      remove(name)
      const entry = { known, bytes: bytesOf(known.value) + BYTES_PER_NAME }
      entries.set(name, entry)
      bytes += entry.bytes
      for (const oldest of entries.keys()) {
        if (bytes <= maxBytes) break
        remove(oldest)
      }
    },
    clear() {
      entries.clear()
      bytes = 0
    }
  }
}

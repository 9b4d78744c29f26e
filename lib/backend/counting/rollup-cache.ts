import { type PackedTally, bytesOfTally } from './tally.ts'

/** Of each of the two kinds. A week of hours, or a day of 50 tasks, takes one or two of it. */
const CACHE_BYTES = 8 * 1024 * 1024
/** Of a name with its version and its places. */
const BYTES_PER_NAME = 300

/** A decoded roll-up, and the version that the datastore gave it: as long as that is the same, this is what it holds. */
interface KnownRollup<Value> { readonly version: string; readonly value: Value }

export interface RollupCache<Value> {
  get(name: string): KnownRollup<Value> | undefined
  set(name: string, known: KnownRollup<Value>): void
  readonly bytes: number
  clear(): void
}

export interface RollupCaches {
  readonly tallies: RollupCache<PackedTally>
  /** Of all tasks in an hour. */
  readonly byTask: RollupCache<ReadonlyMap<string, PackedTally>>
  clear(): void
}

/**
 * What one backend decoded. Hours that are over hardly ever change, and to decode a week of them takes ten times as long as to ask
 * whether they did; so every read asks, and gets those that did.
 */
export function createRollupCaches(bytes = CACHE_BYTES): RollupCaches {
  const tallies = createRollupCache(bytes, bytesOfTally)
  const byTask = createRollupCache(bytes, (value: ReadonlyMap<string, PackedTally>) => {
    return Array.from(value.values()).reduce((sum, tally) => sum + bytesOfTally(tally) + BYTES_PER_NAME, 0)
  })
  return {
    tallies,
    byTask,
    clear() {
      tallies.clear()
      byTask.clear()
    }
  }
}

/** What was not read for longest goes first. */
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

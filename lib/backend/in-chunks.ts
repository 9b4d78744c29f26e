/** Lists go to a datastore in parts: Lua's `unpack` ends at about 8,000, and one long statement holds up all others. */
export function * inChunks<T>(list: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < list.length; start += size) yield list.slice(start, start + size)
}

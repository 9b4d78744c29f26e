/** So many more, as a share, are removed together. One at a time, each search for the first would pass the gaps that all before it left. */
const EXCESS = 0.1

/**
 * Removes what was added first, once a map or set has a tenth more than it should keep.
 * @param forget removes one. Default: only from the map
 */
export function forgetOldest<Key>(
  kept: Pick<Map<Key, unknown>, 'size' | 'keys' | 'delete'>, max: number, forget: (key: Key) => void = key => kept.delete(key)
): void {
  if (kept.size <= max * (1 + EXCESS)) return
  for (const key of kept.keys()) {
    if (kept.size <= max) return
    forget(key)
  }
}

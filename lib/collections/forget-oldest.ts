/**
 * The excess, as a share, at which entries are removed together. Removing one at a time would be slow: each search for the first entry
 * would skip the gaps of all entries removed before it.
 */
const EXCESS = 0.1

/**
 * Removes the oldest entries once a map or set has a tenth more than it should keep.
 * @param forget removes one entry. Default: only from the map
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

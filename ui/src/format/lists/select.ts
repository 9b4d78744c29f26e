/**
 * A selection after one more row was toggled.
 * @param order the rows of the list
 * @param anchor the row toggled before: the whole range from there to this one gets the state of this one. Null: only this one
 * @param most more than this many are never selected
 */
export function select(
  selected: ReadonlySet<string>, key: string, { order, anchor, most }: {
    readonly order: readonly string[]
    readonly anchor: string | null
    readonly most: number
  }
): ReadonlySet<string> {
  const at = order.indexOf(key)
  const from = anchor === null ? -1 : order.indexOf(anchor)
  // The anchor may have left the list.
  const keys = at === -1 || from === -1 ? [key] : order.slice(Math.min(at, from), Math.max(at, from) + 1)
  if (selected.has(key)) {
    const gone = new Set(keys)
    return new Set([...selected].filter(each => !gone.has(each)))
  }
  // Starting at the anchor, so that a full selection has no gaps.
  if (from > at) keys.reverse()
  return new Set([...new Set([...selected, ...keys])].slice(0, Math.max(most, selected.size)))
}

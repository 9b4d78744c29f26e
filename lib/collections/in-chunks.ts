/**
 * The items, in order, in arrays of at most `size`. Lua's `unpack` fails at about 8,000, and one long script or statement blocks all
 * others.
 */
export function inChunks<Item>(items: readonly Item[], size: number): Item[][] {
  const chunks: Item[][] = []
  for (let start = 0; start < items.length; start += size) chunks.push(items.slice(start, start + size))
  return chunks
}

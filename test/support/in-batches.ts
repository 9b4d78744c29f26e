/** Runs the work for each item, `size` at a time, because everything sent at once shares one deadline. Results are in the items' order. */
export async function inBatches<Item, Result>(
  items: readonly Item[], size: number, work: (item: Item) => Promise<Result>
): Promise<Result[]> {
  const results: Result[] = []
  for (let start = 0; start < items.length; start += size) results.push(...await Promise.all(items.slice(start, start + size).map(work)))
  return results
}

/**
 * Runs the work for each item, at most `atOnce` in parallel. Rejects with the first failure and starts nothing after it.
 * @returns the results, in the order of the items
 */
export async function inTurns<Item, Result>(
  items: readonly Item[], work: (item: Item) => Promise<Result>, atOnce = 10
): Promise<Result[]> {
  const left = items.entries()
  const results: Result[] = []
  let hasFailed = false
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, async () => {
    for (const [index, item] of left) {
      if (hasFailed) return
      try {
        results[index] = await work(item)
      } catch (error) {
        hasFailed = true
        throw error
      }
    }
  }))
  return results
}

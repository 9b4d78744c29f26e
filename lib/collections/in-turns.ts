/** Runs the work for each item, at most `atOnce` in parallel. Rejects with the first failure and starts nothing after it. */
export async function inTurns<Item>(items: readonly Item[], work: (item: Item) => Promise<unknown>, atOnce = 10): Promise<void> {
  const left = items.values()
  let hasFailed = false
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, async () => {
    for (const item of left) {
      if (hasFailed) return
      try {
        await work(item)
      } catch (error) {
        hasFailed = true
        throw error
      }
    }
  }))
}

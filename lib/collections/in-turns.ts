/** Does the work for each, at most `atOnce` at the same time. Rejects with the first failure, and begins nothing after it. */
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

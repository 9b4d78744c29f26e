interface BatchLimits<Item> {
  readonly most: number
  /** For a batch of several items. A single item may be larger. */
  readonly maxSize: number
  sizeOf(item: Item): number
}

/** The items, in order, in batches limited by number and by size. Lazy: items are read while batches are requested. */
export function * inBatches<Item>(items: Iterable<Item>, { most, maxSize, sizeOf }: BatchLimits<Item>): Generator<Item[]> {
  let batch: Item[] = []
  let sum = 0
  for (const item of items) {
    const size = sizeOf(item)
    sum += size
    if (batch.length > 0 && (batch.length === most || sum > maxSize)) {
      yield batch
      batch = []
      sum = size
    }
    batch.push(item)
  }
  if (batch.length > 0) yield batch
}

interface BatchLimits<Item> {
  readonly most: number
  /** Of a batch of several items: a single one may be larger. */
  readonly maxSize: number
  sizeOf(item: Item): number
}

/** The items, in order, in batches that are limited by number and by size. Items are taken as batches are asked for. */
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

import t from 'tap'
import { inBatches } from '../../lib/collections/in-batches.ts'

t.test('batches keep the order and respect both limits, except that a single item may exceed the size', async t => {
  const batchesOf = (sizes: readonly number[]): number[][] => [...inBatches(sizes, { most: 3, maxSize: 10, sizeOf: size => size })]
  for (const [sizes, batches] of [
    [[], []], [[10], [[10]]], [[11], [[11]]], [[1, 1, 1, 1], [[1, 1, 1], [1]]], [[5, 5, 1], [[5, 5], [1]]],
    [[4, 7, 3], [[4], [7, 3]]], [[1, 20, 1], [[1], [20], [1]]], [[0, 0, 0, 0], [[0, 0, 0], [0]]]
  ]) t.same(batchesOf(sizes as number[]), batches)
})

t.test('items are taken only when the next batch is requested', async t => {
  let taken = 0
  function * items(): Generator<number> {
    for (;;) yield ++taken
  }
  const batches = inBatches(items(), { most: 2, maxSize: 100, sizeOf: () => 1 })
  t.same(batches.next().value, [1, 2])
  t.equal(taken, 3)
})

import fc from 'fast-check'
import t from 'tap'
import { PackedHistogram } from '../../../lib/backend/counting/packed-histogram.ts'

t.test('a packed histogram holds the bins and counts it was made from, in order of bins', async () => {
  const count = fc.oneof(
    fc.integer({ min: 1, max: 100 }), fc.integer({ min: 65_000, max: 66_000 }), fc.constantFrom(2 ** 32 - 1, 2 ** 32, 2 ** 45)
  )
  fc.assert(fc.property(fc.array(fc.tuple(fc.integer({ min: 0, max: 1_600 }), count)), entries => {
    const histogram = new Map(entries)
    const packed = new PackedHistogram(histogram)
    const sorted = [...histogram].sort(([a], [b]) => a - b)
    return JSON.stringify([...packed]) === JSON.stringify(sorted) && packed.size === histogram.size &&
      JSON.stringify([...packed.values()]) === JSON.stringify(sorted.map(([, each]) => each))
  }))
})

t.test('a packed bin takes four bytes while no count exceeds 65,535', async t => {
  const bytesOf = (most: number) =>
    new PackedHistogram(Array.from({ length: 1_000 }, (_, bin) => [bin, most])).bytes - new PackedHistogram([]).bytes
  t.strictSame([65_535, 65_536, 2 ** 32].map(bytesOf), [4_000, 8_000, 16_000])
})

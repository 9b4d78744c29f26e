import fc from 'fast-check'
import t from 'tap'
import { type Histogram, type OpenHistogram, countInto, mergeInto } from '../../../lib/backend/counting/histogram.ts'
import { binOf, valueOfBin } from '../../../lib/backend/counting/histogram-bins.ts'
import { percentilesOf } from '../../../lib/backend/counting/histogram-sum.ts'
import { decodeHistogram, encodeHistogram } from '../../../lib/backend/postgres/counting/histogram-text.ts'

const milliseconds = fc.oneof(
  fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 100_000 }), fc.double({ min: 0, max: 1e12, noNaN: true })
)

t.test('the value of a bin is within 1 % of every duration in it, and exact up to 64 ms', async () => {
  fc.assert(fc.property(milliseconds, value => {
    const stands = valueOfBin(binOf(value))
    const whole = Math.round(value)
    return whole <= 64 ? stands === whole : Math.abs(stands - whole) <= whole * 0.010_000_1
  }), { numRuns: 5_000 })
})

t.test('a longer duration never falls into a lower bin', async () => {
  fc.assert(fc.property(milliseconds, milliseconds, (a, b) => a > b || binOf(a) <= binOf(b)), { numRuns: 2_000 })
})

t.test('percentiles are within 1 % of the exact ones', async () => {
  fc.assert(fc.property(fc.array(milliseconds, { minLength: 1, maxLength: 400 }), values => {
    const actual = percentilesOf(histogramOf(values))!
    const sorted = values.map(Math.round).sort((a, b) => a - b)
    return ([['p50', 0.5], ['p95', 0.95], ['p99', 0.99]] as const).every(([name, share]) => {
      const exact = sorted[Math.ceil(sorted.length * share) - 1]!
      return Math.abs(actual[name] - exact) <= exact * 0.0101
    })
  }), { numRuns: 500 })
})

t.test('merged histograms equal the histogram of all values, even after encoding and decoding', async () => {
  fc.assert(fc.property(fc.array(milliseconds), fc.array(milliseconds), (a, b) => {
    const merged = decodeHistogram(encodeHistogram(histogramOf(a)))
    mergeInto(merged, decodeHistogram(encodeHistogram(histogramOf(b))))
    const sorted = (histogram: Histogram) => JSON.stringify([...histogram].sort(([x], [y]) => x - y))
    return sorted(merged) === sorted(histogramOf([...a, ...b]))
  }))
})

t.test('an empty histogram has no percentiles, and a negative duration counts as 0', async t => {
  t.equal(percentilesOf(new Map()), null)
  t.equal(encodeHistogram(new Map()), '-')
  t.equal(decodeHistogram('-').size, 0)
  t.equal(binOf(-5), 0)
})

function histogramOf(values: readonly number[]): OpenHistogram {
  const histogram: OpenHistogram = new Map()
  for (const value of values) countInto(histogram, binOf(value))
  return histogram
}

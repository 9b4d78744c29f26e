import type { Histogram } from './histogram.ts'
import { BINS, valueOfBin } from './histogram-bins.ts'
import { PackedHistogram } from './packed-histogram.ts'

export interface DurationPercentiles { readonly p50: number; readonly p95: number; readonly p99: number }

/** Nearest-rank percentiles; null for an empty histogram. */
export function percentilesOf(histogram: Histogram): DurationPercentiles | null {
  const sum = new HistogramSum()
  sum.add(histogram)
  return sum.percentiles()
}

/** Adds up many histograms and can be reused after `clear()`. It uses an array by bin; a Map takes ten times as long. */
export class HistogramSum {
  readonly #counts = new Float64Array(BINS)
  /** One past the last non-empty bin. */
  #end = 0

  add(histogram: Histogram): void {
    if (!(histogram instanceof PackedHistogram)) {
      for (const [bin, count] of histogram) {
        this.#counts[bin]! += count
        this.#end = Math.max(this.#end, bin + 1)
      }
      return
    }
    const { pairs } = histogram
    if (pairs.length === 0) return
    const counts = this.#counts
    for (let i = 0; i < pairs.length; i += 2) counts[pairs[i]!]! += pairs[i + 1]!
    this.#end = Math.max(this.#end, pairs[pairs.length - 2]! + 1)
  }

  percentiles(): DurationPercentiles | null {
    let total = 0
    for (let bin = 0; bin < this.#end; bin++) total += this.#counts[bin]!
    if (total === 0) return null
    let bin = 0
    let seen = this.#counts[0]!
    // Call with rising shares only.
    const percentile = (share: number) => {
      const rank = Math.ceil(total * share)
      while (seen < rank && bin < this.#end - 1) seen += this.#counts[++bin]!
      return toThreeDecimals(valueOfBin(bin))
    }
    return { p50: percentile(0.5), p95: percentile(0.95), p99: percentile(0.99) }
  }

  pack(): PackedHistogram {
    return new PackedHistogram(Array.from(this.#counts.subarray(
      0, this.#end
    ), (count, bin): [number, number] => [bin, count]).filter(([, count]) => count > 0))
  }

  /** Resets it for reuse. */
  clear(): void {
    this.#counts.fill(0, 0, this.#end)
    this.#end = 0
  }
}

function toThreeDecimals(value: number): number {
  return Math.round(value * 1000) / 1000
}

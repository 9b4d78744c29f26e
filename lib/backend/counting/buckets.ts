import { PERCENTILE_ERROR_PERCENT } from '../../../schemas/limits.ts'
import { PackedHistogram } from './packed-histogram.ts'
import type { Histogram, OpenHistogram } from './histogram.ts'

export interface DurationPercentiles { readonly p50: number; readonly p95: number; readonly p99: number }

const EXACT_UP_TO = 64
const RELATIVE_ERROR = PERCENTILE_ERROR_PERCENT / 100
const GAMMA = (1 + RELATIVE_ERROR) / (1 - RELATIVE_ERROR)
const LOG_GAMMA = Math.log(GAMMA)

/** The bin of a number of milliseconds, rounded to whole ones; what is negative counts as 0. */
export function binOf(milliseconds: number): number {
  const whole = Math.max(0, Math.round(milliseconds))
  return whole <= EXACT_UP_TO ? whole : EXACT_UP_TO + Math.ceil(Math.log(whole / EXACT_UP_TO) / LOG_GAMMA)
}

/** Durations and waits are not longer. */
const BINS = binOf(Number.MAX_SAFE_INTEGER) + 1

/** The number of milliseconds that stands for a bin, within 1 % of all in it. */
export function valueOfBin(bin: number): number {
  return bin <= EXACT_UP_TO ? bin : EXACT_UP_TO * 2 * GAMMA ** (bin - EXACT_UP_TO) / (GAMMA + 1)
}

export function countInto(histogram: OpenHistogram, bin: number, count = 1): void {
  histogram.set(bin, (histogram.get(bin) ?? 0) + count)
}

export function mergeInto(histogram: OpenHistogram, other: Histogram): void {
  for (const [bin, count] of other) countInto(histogram, bin, count)
}

/** By nearest rank; null of an empty histogram. */
export function percentilesOf(histogram: Histogram): DurationPercentiles | null {
  const sum = new HistogramSum()
  sum.add(histogram)
  return sum.percentiles()
}

/** Adds many histograms up, one sum after the other: in an array by bin, where a Map takes ten times as long. */
export class HistogramSum {
  readonly #counts = new Float64Array(BINS)
  /** Behind the last bin that has anything. */
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
    // To be asked for in rising order.
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

  /** For the next sum. */
  clear(): void {
    this.#counts.fill(0, 0, this.#end)
    this.#end = 0
  }
}

/** `bin:count,bin:count`, or `-` for none: how SQL keeps a histogram. */
export function encodeHistogram(histogram: Histogram): string {
  return histogram.size === 0 ? '-' : Array.from(histogram, ([bin, count]) => `${bin}:${count}`).join(',')
}

export function decodeHistogram(text: string): OpenHistogram {
  const histogram: OpenHistogram = new Map()
  if (text === '-') return histogram
  for (const pair of text.split(',')) {
    const colon = pair.indexOf(':')
    countInto(histogram, Number(pair.slice(0, colon)), Number(pair.slice(colon + 1)))
  }
  return histogram
}

function toThreeDecimals(value: number): number {
  return Math.round(value * 1000) / 1000
}

import type { DurationPercentiles } from './result-backend.ts'

/**
 * How often each range of milliseconds occurred: bin → count. Whole milliseconds up to `EXACT_UP_TO` have a bin each; above,
 * bins grow by a constant factor so that the middle of a bin is within 1 % of everything in it. Histograms merge by adding.
 */
export type Histogram = Map<number, number>

const EXACT_UP_TO = 64
const RELATIVE_ERROR = 0.01
const GAMMA = (1 + RELATIVE_ERROR) / (1 - RELATIVE_ERROR)
const LOG_GAMMA = Math.log(GAMMA)

/** The bin of a number of milliseconds, rounded to whole ones; what is negative counts as 0. */
export function binOf(milliseconds: number): number {
  const whole = Math.max(0, Math.round(milliseconds))
  return whole <= EXACT_UP_TO ? whole : EXACT_UP_TO + Math.ceil(Math.log(whole / EXACT_UP_TO) / LOG_GAMMA)
}

/** The number of milliseconds that stands for a bin, within 1 % of all in it. */
export function valueOfBin(bin: number): number {
  return bin <= EXACT_UP_TO ? bin : EXACT_UP_TO * 2 * GAMMA ** (bin - EXACT_UP_TO) / (GAMMA + 1)
}

export function countInto(histogram: Histogram, bin: number, count = 1): void {
  histogram.set(bin, (histogram.get(bin) ?? 0) + count)
}

export function mergeInto(histogram: Histogram, other: Histogram): void {
  for (const [bin, count] of other) countInto(histogram, bin, count)
}

/** By nearest rank; null of an empty histogram. */
export function percentilesOf(histogram: Histogram): DurationPercentiles | null {
  const bins = [...histogram].sort(([a], [b]) => a - b)
  const total = bins.reduce((sum, [, count]) => sum + count, 0)
  if (total === 0) return null
  const percentile = (share: number) => {
    const rank = Math.ceil(total * share)
    let seen = 0
    for (const [bin, count] of bins) {
      seen += count
      if (seen >= rank) return toThreeDecimals(valueOfBin(bin))
    }
    return toThreeDecimals(valueOfBin(bins.at(-1)![0]))
  }
  return { p50: percentile(0.5), p95: percentile(0.95), p99: percentile(0.99) }
}

/** `bin:count,bin:count`, or `-` for none: how both drivers keep a histogram. */
export function encodeHistogram(histogram: Histogram): string {
  return histogram.size === 0 ? '-' : Array.from(histogram, ([bin, count]) => `${bin}:${count}`).join(',')
}

export function decodeHistogram(text: string): Histogram {
  const histogram: Histogram = new Map()
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

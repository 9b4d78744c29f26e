import { type Histogram, type OpenHistogram, countInto } from '../../counting/histogram.ts'

const EMPTY = '-'

/** A histogram's SQL representation: `bin:count,bin:count`, or `-` when empty. */
export function encodeHistogram(histogram: Histogram): string {
  return histogram.size === 0 ? EMPTY : Array.from(histogram, ([bin, count]) => `${bin}:${count}`).join(',')
}

export function decodeHistogram(text: string): OpenHistogram {
  const histogram: OpenHistogram = new Map()
  if (text === EMPTY) return histogram
  for (const pair of text.split(',')) {
    const colon = pair.indexOf(':')
    countInto(histogram, Number(pair.slice(0, colon)), Number(pair.slice(colon + 1)))
  }
  return histogram
}

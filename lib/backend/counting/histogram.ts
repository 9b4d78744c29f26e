/** How often each range of milliseconds occurred: bin, count. Do not mutate: several owners may share one. */
export interface Histogram extends Iterable<[bin: number, count: number]> {
  readonly size: number
  values(): Iterable<number>
}

/** A mutable histogram: bin → count, where `binOf` gives the bin. Histograms merge by adding. */
export type OpenHistogram = Map<number, number>

export function countInto(histogram: OpenHistogram, bin: number, count = 1): void {
  histogram.set(bin, (histogram.get(bin) ?? 0) + count)
}

export function mergeInto(histogram: OpenHistogram, other: Histogram): void {
  for (const [bin, count] of other) countInto(histogram, bin, count)
}

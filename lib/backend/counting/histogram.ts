/** How often each range of milliseconds occurred: bin, count. Not to be changed: many may hold one at once. */
export interface Histogram extends Iterable<[bin: number, count: number]> {
  readonly size: number
  values(): Iterable<number>
}

/**
 * One that is counted into: bin → count. Whole milliseconds up to `EXACT_UP_TO` have a bin each; above, bins grow by a constant
 * factor so that the middle of a bin is within 1 % of everything in it. Histograms merge by adding.
 */
export type OpenHistogram = Map<number, number>

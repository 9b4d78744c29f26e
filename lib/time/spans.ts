/** A time span in milliseconds since the epoch: from, inclusive, and to, exclusive. */
export type Span = readonly [from: number, to: number]

/** Sorted and merged: overlapping and adjacent spans become one. */
export function joinSpans(spans: readonly Span[]): Span[] {
  const joined: Span[] = []
  for (const span of spans.filter(([from, to]) => to > from).sort((one, other) => one[0] - other[0])) {
    const last = joined.at(-1)
    if (last !== undefined && span[0] <= last[1]) joined[joined.length - 1] = [last[0], Math.max(last[1], span[1])]
    else joined.push(span)
  }
  return joined
}

/** The parts of `within` that no span covers. */
export function gapsBetween(spans: readonly Span[], [from, to]: Span): Span[] {
  const gaps: Span[] = []
  let covered = from
  for (const [start, end] of joinSpans(spans)) {
    if (start >= to) break
    if (start > covered) gaps.push([covered, start])
    covered = Math.max(covered, end)
  }
  return covered < to ? [...gaps, [covered, to]] : gaps
}

export function covers(spans: readonly Span[], at: number): boolean {
  return spans.some(([from, to]) => at >= from && at < to)
}

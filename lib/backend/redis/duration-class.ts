/**
 * Finish-order lists are split at these durations, in milliseconds, so that a list of slow executions only merges those that can contain
 * any.
 */
const BOUNDS = [10, 50, 250, 1_000, 5_000, 30_000, 120_000, 600_000] as const
/** The class for executions without a duration, which match no bound. */
const UNKNOWN = BOUNDS.length + 1

export const DURATION_CLASSES: readonly number[] = Array.from({ length: UNKNOWN + 1 }, (_, i) => i)

export function durationClassOf(durationMs: number | null): number {
  if (durationMs === null) return UNKNOWN
  let durationClass = 0
  while (durationClass < BOUNDS.length && durationMs >= BOUNDS[durationClass]!) durationClass++
  return durationClass
}

/** The classes that can contain durations in [minMs, maxMs), and whether everything in them matches. */
export function durationClassesWithin(
  minMs: number | undefined, maxMs: number | undefined
): { classes: readonly number[]; isExact: boolean } {
  if (minMs === undefined && maxMs === undefined) return { classes: DURATION_CLASSES, isExact: true }
  const touches = (each: number) => (minMs === undefined || endOf(each) > minMs) && (maxMs === undefined || startOf(each) < maxMs)
  const classes = DURATION_CLASSES.filter(each => each !== UNKNOWN && touches(each))
  const isExact = classes.every(each => (minMs === undefined || startOf(each) >= minMs) && (maxMs === undefined || endOf(each) <= maxMs))
  return { classes, isExact }
}

function startOf(durationClass: number): number {
  return durationClass === 0 ? 0 : BOUNDS[durationClass - 1]!
}

function endOf(durationClass: number): number {
  return BOUNDS[durationClass] ?? Infinity
}

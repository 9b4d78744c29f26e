import type { TimeseriesPoint } from '../../../../schemas/index.ts'

export interface FailingSpan {
  /** Start of the first minute with a failure, milliseconds since the epoch. */
  readonly since: number
  /** False if executions already failed at the first point, so that the failures may have begun earlier. */
  readonly isExact: boolean
  /** End of the last minute with a failure; null while it continues. */
  readonly until: number | null
}

/** A single minute of a quiet app has one execution or none, so shares are computed over five points. */
const SMOOTHED_OVER = 5
/** Fewer executions than this without a failure do not prove that the problem is over. */
const ENOUGH_AFTER = 10

/**
 * The latest stretch in which at least this share of the executions failed; null when there is none.
 * @param points oldest first, of equal length
 */
export function failingSpan(points: readonly TimeseriesPoint[], fromPercent: number): FailingSpan | null {
  const known = points.filter(point => point.gap === null)
  const isFailing = known.reduce<boolean[]>((found, _, index) => {
    const { finished, failed } = countsOf(known.slice(Math.max(0, index + 1 - SMOOTHED_OVER), index + 1))
    // A minute in which nothing finished changes nothing.
    return [...found, finished === 0 ? found.at(-1) ?? false : failed / finished * 100 >= fromPercent]
  }, [])
  const last = isFailing.lastIndexOf(true)
  if (last === -1) return null
  const first = isFailing.lastIndexOf(false, last) + 1

  const hasFailure = (point: TimeseriesPoint): boolean => (point.failed ?? 0) > 0
  const begin = known.findIndex((point, index) => index > first - SMOOTHED_OVER && hasFailure(point))
  const end = known.findLastIndex((point, index) => index <= last && hasFailure(point))
  const isOver = last < known.length - 1 && countsOf(known.slice(end + 1)).finished >= ENOUGH_AFTER
  return {
    since: Date.parse(known[begin]!.at),
    isExact: first > 0,
    until: isOver ? Date.parse((known[end + 1] ?? known[end]!).at) : null
  }
}

function countsOf(points: readonly TimeseriesPoint[]): { finished: number; failed: number } {
  const failed = points.reduce((sum, point) => sum + (point.failed ?? 0), 0)
  return { failed, finished: points.reduce((sum, point) => sum + (point.success ?? 0), failed) }
}

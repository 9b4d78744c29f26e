import type { FailureGroup, TimeseriesPoint } from '../../../schemas/index.ts'

const RECENT_HOURS = 3
const RISING_FROM = 3
const RISING_FACTOR = 2

/** How much finished in each of the last hours, oldest first; null where that is not known. */
export type HourlyLoad = ReadonlyArray<number | null>

export function toHourlyLoad(points: readonly TimeseriesPoint[], hours = 24): HourlyLoad {
  return points.slice(-hours).map(({ success, failed }) => (success === null || failed === null ? null : success + failed))
}

/**
 * At least three in the last three hours, and of what finished in them more than twice the share of the hours before. More of everything is
 * no rise, and where nothing finished before there is nothing to rise from.
 */
export function isRising({ trend }: Pick<FailureGroup, 'trend'>, load: HourlyLoad): boolean {
  const [recent, before] = [sum(trend.slice(-RECENT_HOURS)), sum(trend.slice(0, -RECENT_HOURS))]
  const [finished, finishedBefore] = [sum(load.slice(-RECENT_HOURS)), sum(load.slice(0, -RECENT_HOURS))]
  return recent >= RISING_FROM && finishedBefore > 0 && recent * finishedBefore > RISING_FACTOR * before * finished
}

/** What needs a look first: rising ones, then those of the most failures, then the latest. */
export function byUrgency(load: HourlyLoad): (one: FailureGroup, other: FailureGroup) => number {
  return (one, other) =>
    Number(isRising(other, load)) - Number(isRising(one, load)) || other.count - one.count || Date.parse(other.last_seen_at) - Date.parse(one.last_seen_at)
}

function sum(counts: ReadonlyArray<number | null>): number {
  return counts.reduce<number>((total, count) => total + (count ?? 0), 0)
}

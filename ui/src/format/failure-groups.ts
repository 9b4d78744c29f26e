import type { FailureGroup } from '../../../schemas/index.ts'

const RECENT_HOURS = 3
const RISING_FROM = 3
const RISING_FACTOR = 2

/** In the last three hours at least three, and more than twice as many as usual in three hours of the day. */
export function isRising({ trend }: Pick<FailureGroup, 'trend'>): boolean {
  const recent = sum(trend.slice(-RECENT_HOURS))
  const before = sum(trend.slice(0, -RECENT_HOURS)) / ((trend.length - RECENT_HOURS) / RECENT_HOURS)
  return recent >= RISING_FROM && recent > RISING_FACTOR * before
}

/** What needs a look first: rising ones, then those of the most failures, then the latest. */
export function byUrgency(one: FailureGroup, other: FailureGroup): number {
  return Number(isRising(other)) - Number(isRising(one)) || other.count - one.count || Date.parse(other.last_seen_at) - Date.parse(one.last_seen_at)
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0)
}

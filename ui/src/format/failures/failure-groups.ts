import type { FailureGroup, TimeseriesPoint } from '../../../../schemas/index.ts'
import { withParameters } from '../places/address.ts'
import { currentTime } from '../time/clock.ts'
import { formatClock } from '../time/time.ts'
import { HOUR_MS, MINUTE_MS } from '../time/units.ts'
import type { Clause, GroupsToLookAt } from '../health/verdict.ts'
import { statsTexts } from '../../texts/stats.ts'
import { MAX_TASKS_PER_GROUP } from '../../../../schemas/limits.ts'

const RECENT_HOURS = 3
const RISING_FROM = 3
const RISING_FACTOR = 2
/** The hours of a trend are too coarse to show that a rise is over. */
const STILL_RISING_MS = 15 * MINUTE_MS

/** How many executions finished in each of the last hours, oldest first; null where that is not known. */
export type HourlyLoad = ReadonlyArray<number | null>

export function toHourlyLoad(points: readonly TimeseriesPoint[], hours = 24): HourlyLoad {
  return points.slice(-hours).map(({ success, failed }) => (success === null || failed === null ? null : success + failed))
}

/**
 * A group is rising if it has at least three failures in the last three hours, and if its share of the executions that finished in them is
 * more than twice the share of the hours before. So more load alone is not a rise, and if nothing finished before, there is nothing to
 * compare with. A rise ends when the group has not failed for a quarter of an hour.
 */
export function isRising(
  { trend, last_seen_at: at, state }: Pick<FailureGroup, 'trend' | 'last_seen_at' | 'state'>, load: HourlyLoad, now = currentTime()
): boolean {
  if (state === 'resolved' || now - Date.parse(at) > STILL_RISING_MS) return false
  // An hour with an unknown load says nothing about shares.
  const known = trend.map((failed, hour) => {
    const finished = load.at(hour - trend.length) ?? null
    return finished === null ? { failed: 0, finished: 0 } : { failed, finished }
  })
  const [recent, before] = [sum(known.slice(-RECENT_HOURS), 'failed'), sum(known.slice(0, -RECENT_HOURS), 'failed')]
  const [finished, finishedBefore] = [sum(known.slice(-RECENT_HOURS), 'finished'), sum(known.slice(0, -RECENT_HOURS), 'finished')]
  return recent >= RISING_FROM && finishedBefore > 0 && recent * finishedBefore > RISING_FACTOR * before * finished
}

const FRESH_MS = HOUR_MS

/** Whether this group, or any group that was last seen before it, can be new or rising. */
export function canBeNews({ last_seen_at: at }: Pick<FailureGroup, 'last_seen_at'>, now: number): boolean {
  return now - Date.parse(at) < RECENT_HOURS * HOUR_MS
}

/** Whether a group was first seen in the last hour and no one has resolved it. So no one can have known it for long. */
export function isFresh({ first_seen_at: at, state }: Pick<FailureGroup, 'first_seen_at' | 'state'>, now: number): boolean {
  return state === 'open' && now - Date.parse(at) < FRESH_MS
}

/** The most urgent first: regressed, new and rising ones, then those with the most failures, then the latest. */
export function byUrgency(load: HourlyLoad, now: number): (one: FailureGroup, other: FailureGroup) => number {
  const isNews = (group: FailureGroup): number => Number(group.state === 'regressed' || isFresh(group, now) || isRising(group, load, now))
  return (one, other) =>
    isNews(other) - isNews(one) || other.count - one.count || Date.parse(other.last_seen_at) - Date.parse(one.last_seen_at)
}

/** The groups that the verdict mentions. */
export function toLookAt(
  { items: groups, isCut }: { items: readonly FailureGroup[]; isCut: boolean }, load: HourlyLoad, now: number
): GroupsToLookAt {
  const fresh = groups.filter(group => isFresh(group, now))
  const regressed = groups.filter(({ state }) => state === 'regressed')
  const rising = groups.filter(group => group.state === 'open' && !isFresh(group, now) && isRising(group, load, now))
  return {
    fresh: fresh.length, rising: rising.length, regressed: regressed.length, isCut,
    href: addressOfAll([...regressed, ...fresh, ...rising]),
    cause: isCut ? null : commonCause(groups, now)
  }
}

const CAUSE_FROM = 3
/** The current clock hour and the one before it, because the current one may have just begun. */
const CAUSE_HOURS = 2

/** The error that more than half of the latest failures have, and the tasks where it happens; null when there is none. */
function commonCause(groups: readonly FailureGroup[], now: number): Clause | null {
  const latest = groups.map(group => ({ group, count: group.trend.slice(-CAUSE_HOURS).reduce((total, count) => total + count, 0) }))
    .filter(({ count }) => count > 0)
  const types = Array.from(new Set(latest.map(({ group }) => group.type)), type => {
    const found = latest.filter(({ group }) => group.type === type)
    return { type, groups: found.map(({ group }) => group), count: sum(found, 'count') }
  })
  const most = types.toSorted((one, other) => other.count - one.count)[0]
  if (!most || most.count < CAUSE_FROM || most.count * 2 <= sum(types, 'count')) return null
  const where = commonName(most.groups)
  const text = where === null ? statsTexts.mostly(most.type) : statsTexts.mostlyIn(most.type, where)
  const since = beganBeforeTheHour(most.groups, now)
  return { text: since === null ? text : statsTexts.firstSeen(text, formatClock(since, now)), href: addressOfAll(most.groups) }
}

/** When the failures began, if that was within the last day but before the hour that the verdict examines; otherwise null. */
function beganBeforeTheHour(groups: readonly FailureGroup[], now: number): number | null {
  const first = Math.min(...groups.map(({ first_seen_at: at }) => Date.parse(at)))
  return groups.every(group => group.is_new) && now - first >= FRESH_MS ? first : null
}

/** The one task that all of these groups are of, or how the names of all their tasks begin: `billing:*`. Null when they share nothing. */
function commonName(groups: readonly Pick<FailureGroup, 'tasks'>[]): string | null {
  if (groups.some(({ tasks }) => tasks.length === 0 || tasks.length >= MAX_TASKS_PER_GROUP)) return null
  const names = [...new Set(groups.flatMap(({ tasks }) => tasks.map(({ name }) => name)))]
  if (names.length === 1) return names[0]!
  const prefixes = new Set(names.map(name => /^[^:/.]+[:/.]/.exec(name)?.[0] ?? null))
  const [prefix] = prefixes
  return prefixes.size === 1 && prefix ? `${prefix}*` : null
}

/** The address of the group's page if there is only one group, otherwise of the list. */
function addressOfAll([only, ...others]: ReadonlyArray<Pick<FailureGroup, 'error_group'>>): string {
  return only && others.length === 0 ? addressOf(only) : '/failures'
}

/** The address of the page of a group. */
export function addressOf({ error_group: group }: Pick<FailureGroup, 'error_group'>): string {
  return `/failures${withParameters('', { group })}`
}

function sum<Key extends string>(hours: ReadonlyArray<Readonly<Record<Key, number>>>, key: Key): number {
  return hours.reduce((total, hour) => total + hour[key], 0)
}

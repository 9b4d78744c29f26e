import type { FailureGroupPage, FailureGroupQuery, RetentionPolicy } from '../result-backend.ts'
import { HOURS_KEPT_MS, spansTouched } from './tally.ts'
import { HOUR_MS } from '../../time/units.ts'

/** More failure groups than anyone reads. Beyond this, the least recently seen are removed. */
export const MAX_GROUPS = 10_000
/** Hours in a trend, ending with the current one. */
export const TREND_HOURS = 24
/** Time limit for reading groups when many must be checked. The page then says where to continue. */
export const GROUPS_READ_MS = 250

/**
 * Groups last seen before this are removed. Counts are kept as long as the failed executions they link to, and at least as long as hourly
 * counts.
 */
export function groupsKeptSince({ failed }: RetentionPolicy, nowMs: number): number {
  return nowMs - Math.max(HOURS_KEPT_MS, failed.maxAgeMs)
}

/** Hours since the epoch. */
export interface HoursAsked {
  readonly first: number
  /** Exclusive. */
  readonly end: number
  /** Hours from this one on are still kept. */
  readonly keptFrom: number
}

/**
 * A group gets its all-time count if the range covers its whole lifetime. Otherwise the hours that are kept are added up. If the group was
 * first or last seen in an hour that is no longer kept, it counts at least one.
 * @returns null for all time.
 */
export function hoursAsked({ from, to }: FailureGroupQuery, nowMs: number): HoursAsked | null {
  if (from === undefined && to === undefined) return null
  const { first, end } = spansTouched(from ?? 0, Math.min(to ?? Infinity, LATEST_MS), HOUR_MS, Infinity)
  return { first, end, keptFrom: Math.ceil((nowMs - HOURS_KEPT_MS) / HOUR_MS) }
}

/** The latest time a `Date` can hold. */
const LATEST_MS = 8.64e15

export const NO_GROUPS: FailureGroupPage = { groups: [], next: null, total: { value: 0, relation: 'exact' } }

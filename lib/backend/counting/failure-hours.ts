import type { FailureGroupPage, FailureGroupQuery, RetentionPolicy } from '../result-backend.ts'
import { HOURS_KEPT_MS, spansTouched } from './tally.ts'
import { HOUR_MS } from '../../time/units.ts'

/** More groups of failures than anyone reads; those not seen for longest go first. */
export const GROUPS_AT_MOST = 10_000
/** Of a group, the ones it failed in most. */
export const TASKS_PER_GROUP = 20
/** Up to this hour, over all tasks. */
export const TREND_HOURS = 24
/** Reading takes so long at most where many groups have to be looked at, and then says where to go on. */
export const GROUPS_READ_MS = 250

/** Groups last seen before that go: counts are kept as long as executions that lead to them may be, and as long as their hours at least. */
export function groupsKeptSince({ failed }: RetentionPolicy, nowMs: number): number {
  return nowMs - Math.max(HOURS_KEPT_MS, failed.maxAgeMs)
}

/** Hours by their number. */
export interface HoursAsked {
  readonly first: number
  /** Exclusive. */
  readonly end: number
  /** Since then all hours are there. */
  readonly keptFrom: number
}

/**
 * A group has its all-time count where the range has all of its time. Else the hours that are kept are counted; where the group surely
 * occurred in others, since that is when it was first or last seen, it counts one at least.
 * @returns null for all time.
 */
export function hoursAsked({ from, to }: FailureGroupQuery, nowMs: number): HoursAsked | null {
  if (from === undefined && to === undefined) return null
  const { first, end } = spansTouched(from ?? 0, Math.min(to ?? Infinity, LATEST_MS), HOUR_MS, Infinity)
  return { first, end, keptFrom: Math.ceil((nowMs - HOURS_KEPT_MS) / HOUR_MS) }
}

/** The last moment that a `Date` has. */
const LATEST_MS = 8.64e15

export const NO_GROUPS: FailureGroupPage = { groups: [], next: null, total: { value: 0, relation: 'exact' } }

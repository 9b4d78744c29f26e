import { cronRunsAfter } from '../../time/cron-runs.ts'
import { jitterOf } from '../../time/jitter.ts'
import { parseCron } from './cron.ts'
import { nextIntervalRuns } from './next-runs.ts'
import type { StoredTiming } from '../definitions/schedule-store.ts'

/** The rules for when a schedule runs. Times are milliseconds since the epoch. */
export interface RunRules {
  readonly timing: StoredTiming
  readonly jitterMs: number
  /** Inclusive, compared with the times before jitter. */
  readonly startAt: number | null
  readonly endAt: number | null
}

/** False if this process does not know the time zone: the process that accepted it has newer data or another version of Node. */
export function isReadable({ timing }: Pick<RunRules, 'timing'>): boolean {
  try {
    if ('cron' in timing) parseCron(timing.cron, timing.timezone)
    return true
  } catch {
    return false
  }
}

/** The first time after `after` at which the schedule runs; null if never again. */
export function nextDueTimeOf(scheduleId: string, rules: RunRules, after: number): number | null {
  let best: number | null = null
  for (const nominal of nominalTimes(rules, Math.max(after - rules.jitterMs, firstAfter(rules)))) {
    if (best !== null && nominal >= best) break
    const due = nominal + jitterOf(scheduleId, nominal, rules.jitterMs)
    if (due > after && (best === null || due < best)) best = due
  }
  return best
}

/** The due times between `after` and `before`, both exclusive, in order; at most `max`. */
export function dueTimesBetween(scheduleId: string, rules: RunRules, after: number, before: number, max: number): number[] {
  if ('intervalMs' in rules.timing && rules.jitterMs === 0) return intervalDueTimesBetween(rules, after, before, max)
  const due: number[] = []
  for (const nominal of nominalTimes(rules, Math.max(after - rules.jitterMs, firstAfter(rules)))) {
    if (nominal >= before || due.length >= max) break
    const at = nominal + jitterOf(scheduleId, nominal, rules.jitterMs)
    if (at > after && at < before) due.push(at)
  }
  return due.sort((one, other) => one - other)
}

function intervalDueTimesBetween(rules: RunRules, after: number, before: number, max: number): number[] {
  const { intervalMs, anchorAt } = rules.timing as Extract<StoredTiming, { intervalMs: number }>
  const from = Math.max(after, firstAfter(rules))
  const to = Math.min(before - 1, rules.endAt ?? Infinity)
  const count = Math.min(Math.floor((to - anchorAt) / intervalMs) - Math.max(Math.floor((from - anchorAt) / intervalMs), 0), max)
  return count <= 0 ? [] : nextIntervalRuns(intervalMs, anchorAt, from, count)
}

/** Due times without jitter, in order, after `after`. */
function * nominalTimes({ timing, endAt }: RunRules, after: number): Generator<number> {
  const runs = 'cron' in timing
    ? cronRunsAfter(parseCron(timing.cron, timing.timezone).plain, timing.timezone, after)
    : intervalRunsAfter(timing, after)
  for (const at of runs) {
    if (endAt !== null && at > endAt) return
    yield at
  }
}

function * intervalRunsAfter({ intervalMs, anchorAt }: { intervalMs: number; anchorAt: number }, after: number): Generator<number> {
  for (let [at] = nextIntervalRuns(intervalMs, anchorAt, after, 1); ; at! += intervalMs) yield at!
}

function firstAfter({ startAt }: RunRules): number {
  return startAt === null ? -Infinity : startAt - 1
}

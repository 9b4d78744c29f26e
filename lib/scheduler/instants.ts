import { jitterOf } from '../jitter.ts'
import { nextCronRuns, parseCron } from './cron.ts'
import { nextIntervalRuns } from './next-runs.ts'
import type { StoredTiming } from './schedule-store.ts'

/** What decides when a schedule runs. Times are milliseconds since the epoch. */
export interface RunRules {
  readonly timing: StoredTiming
  readonly jitterMs: number
  /** Inclusive, of the instants before they are put off by jitter. */
  readonly startAt: number | null
  readonly endAt: number | null
}

const BATCH = 16

/** The first instant after `after` at which the schedule runs, null when it never does again. */
export function nextInstantOf(scheduleId: string, rules: RunRules, after: number): number | null {
  let best: number | null = null
  for (const nominal of nominalInstants(rules, Math.max(after - rules.jitterMs, firstAfter(rules)))) {
    if (best !== null && nominal >= best) break
    const due = nominal + jitterOf(scheduleId, nominal, rules.jitterMs)
    if (due > after && (best === null || due < best)) best = due
  }
  return best
}

/** The instants between `after` and `before`, both exclusive, in order; stops at `max`. */
export function instantsBetween(scheduleId: string, rules: RunRules, after: number, before: number, max: number): number[] {
  if ('intervalMs' in rules.timing && rules.jitterMs === 0) return intervalInstantsBetween(rules, after, before, max)
  const due: number[] = []
  for (const nominal of nominalInstants(rules, Math.max(after - rules.jitterMs, firstAfter(rules)))) {
    if (nominal >= before || due.length >= max) break
    const at = nominal + jitterOf(scheduleId, nominal, rules.jitterMs)
    if (at > after && at < before) due.push(at)
  }
  return due.sort((one, other) => one - other)
}

function intervalInstantsBetween(rules: RunRules, after: number, before: number, max: number): number[] {
  const { intervalMs, anchorAt } = rules.timing as Extract<StoredTiming, { intervalMs: number }>
  const from = Math.max(after, firstAfter(rules))
  const to = Math.min(before - 1, rules.endAt ?? Infinity)
  const count = Math.min(Math.floor((to - anchorAt) / intervalMs) - Math.max(Math.floor((from - anchorAt) / intervalMs), 0), max)
  return count <= 0 ? [] : nextIntervalRuns(intervalMs, anchorAt, from, count)
}

/** Without jitter, in order, after `after`. */
function * nominalInstants({ timing, endAt }: RunRules, after: number): Generator<number> {
  const next = nominalAfter(timing)
  for (let from = after, size = 1; ; size = BATCH) {
    const batch = next(from, size)
    if (batch.length === 0) return
    for (const at of batch) {
      if (endAt !== null && at > endAt) return
      yield at
    }
    from = batch.at(-1)!
  }
}

function nominalAfter(timing: StoredTiming): (from: number, count: number) => number[] {
  if ('intervalMs' in timing) return (from, count) => nextIntervalRuns(timing.intervalMs, timing.anchorAt, from, count)
  const cron = parseCron(timing.cron, timing.timezone)
  return (from, count) => nextCronRuns(cron, from, count)
}

function firstAfter({ startAt }: RunRules): number {
  return startAt === null ? -Infinity : startAt - 1
}

import { type Histogram, countInto, mergeInto, percentilesOf } from './buckets.ts'
import type { LedgerEntry } from './ledger-entry.ts'
import type { FinishedWindow } from './result-backend.ts'

export const MINUTE_MS = 60_000
export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

/** How long roll-ups are kept: windows that start before that many milliseconds ago are answered to the hour, or not in full. */
export const MINUTES_KEPT_MS = 48 * HOUR_MS
/** Minutes of each task: fewer, since there are as many times more. */
export const TASK_MINUTES_KEPT_MS = 6 * HOUR_MS
export const HOURS_KEPT_MS = 90 * 24 * HOUR_MS
export const DAYS_KEPT_MS = 10 * 365 * 24 * HOUR_MS
/** How long attempts of an execution that does not finish are kept. */
export const ATTEMPTS_KEPT_MS = 30 * 24 * HOUR_MS
/** In place of a task name: over all tasks, whose names have a character at least. */
export const OVERALL = ''

/** What finished in a span of time, in a form that adds up. */
export interface Tally {
  success: number
  failed: number
  readonly duration: Histogram
  readonly wait: Histogram
}

export function emptyTally(): Tally {
  return { success: 0, failed: 0, duration: new Map(), wait: new Map() }
}

export function tallyInto(tally: Tally, entry: LedgerEntry): void {
  tally[entry.execution.status]++
  if (entry.durationBin !== null) countInto(tally.duration, entry.durationBin)
  if (entry.waitBin !== null) countInto(tally.wait, entry.waitBin)
}

export function addTally(tally: Tally, other: Tally): void {
  tally.success += other.success
  tally.failed += other.failed
  mergeInto(tally.duration, other.duration)
  mergeInto(tally.wait, other.wait)
}

export function toFinishedWindow(tally: Tally): FinishedWindow {
  return { success: tally.success, failed: tally.failed, duration: percentilesOf(tally.duration), wait: percentilesOf(tally.wait) }
}

/** First and last (exclusive) number of the minutes or hours that [fromMs, toMs) touches, at most `keptMs` long. */
export function spansTouched(fromMs: number, toMs: number, spanMs: number, keptMs: number): { first: number; end: number } {
  const end = Math.ceil(Math.max(0, toMs) / spanMs)
  return { first: Math.max(Math.floor(Math.max(0, fromMs) / spanMs), end - keptMs / spanMs - 1), end }
}

/** Whether a window is answered from minutes; one that starts before they are kept is answered from hours. */
export function hasMinutes(fromMs: number, nowMs: number): boolean {
  return fromMs >= nowMs - MINUTES_KEPT_MS + HOUR_MS
}

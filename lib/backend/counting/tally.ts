import { type Histogram, type OpenHistogram, countInto } from './histogram.ts'
import { HistogramSum, type DurationPercentiles } from './histogram-sum.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../time/units.ts'
import type { LedgerEntry } from '../entry/ledger-entry.ts'
import { PackedHistogram } from './packed-histogram.ts'

export type RollupSpan = 'minute' | 'hour' | 'day'

/** How long roll-ups of hours are kept, and what else is told by the hour. */
export const HOURS_KEPT_MS = 90 * DAY_MS
const YEAR_MS = 365 * DAY_MS
/**
 * Of each span, how long it is and how long it is kept: overall, and of each task. Minutes of tasks for less, since there are as many times
 * more.
 */
export const ROLLUP_SPANS: Readonly<Record<RollupSpan, { readonly ms: number; readonly keptMs: number; readonly taskKeptMs: number }>> = {
  minute: { ms: MINUTE_MS, keptMs: 48 * HOUR_MS, taskKeptMs: 6 * HOUR_MS },
  hour: { ms: HOUR_MS, keptMs: HOURS_KEPT_MS, taskKeptMs: HOURS_KEPT_MS },
  day: { ms: DAY_MS, keptMs: 10 * YEAR_MS, taskKeptMs: 10 * YEAR_MS }
}
export const EACH_ROLLUP_SPAN = Object.entries(ROLLUP_SPANS) as ReadonlyArray<readonly [RollupSpan, typeof ROLLUP_SPANS[RollupSpan]]>
/** How long attempts of an execution that does not finish are kept. */
export const ATTEMPTS_KEPT_MS = 30 * 24 * HOUR_MS
/** In place of a task name: over all tasks, whose names have a character at least. */
export const OVERALL = ''

/** What finished in a span of time, as it is shown. */
export interface FinishedWindow {
  readonly success: number
  readonly failed: number
  readonly duration: DurationPercentiles | null
  readonly wait: DurationPercentiles | null
}

/** What finished in a span of time, in a form that adds up. */
export interface ReadonlyTally {
  readonly success: number
  readonly failed: number
  readonly duration: Histogram
  readonly wait: Histogram
}

/** One that is counted into. */
export interface Tally extends ReadonlyTally {
  success: number
  failed: number
  readonly duration: OpenHistogram
  readonly wait: OpenHistogram
}

/** One that is kept. */
export interface PackedTally extends ReadonlyTally {
  readonly duration: PackedHistogram
  readonly wait: PackedHistogram
}

export function emptyTally(): Tally {
  return { success: 0, failed: 0, duration: new Map(), wait: new Map() }
}

export function tallyInto(tally: Tally, entry: LedgerEntry): void {
  tally[entry.execution.status]++
  if (entry.durationBin !== null) countInto(tally.duration, entry.durationBin)
  if (entry.waitBin !== null) countInto(tally.wait, entry.waitBin)
}

export function packTally({ success, failed, duration, wait }: ReadonlyTally): PackedTally {
  return { success, failed, duration: new PackedHistogram(duration), wait: new PackedHistogram(wait) }
}

/** Of memory, about; with the percentiles that readers may keep beside it. */
export function bytesOfTally({ duration, wait }: PackedTally): number {
  return duration.bytes + wait.bytes + 350
}

export function toFinishedWindow(tally: ReadonlyTally): FinishedWindow {
  const sum = new TallySum()
  sum.add(tally)
  return sum.toWindow()
}

/** Adds many tallies up, one sum after the other. */
export class TallySum {
  success = 0
  failed = 0
  readonly #duration = new HistogramSum()
  readonly #wait = new HistogramSum()

  add({ success, failed, duration, wait }: ReadonlyTally): void {
    this.success += success
    this.failed += failed
    this.#duration.add(duration)
    this.#wait.add(wait)
  }

  toWindow(): FinishedWindow {
    return { success: this.success, failed: this.failed, duration: this.#duration.percentiles(), wait: this.#wait.percentiles() }
  }

  toTally(): ReadonlyTally {
    return { success: this.success, failed: this.failed, duration: this.#duration.pack(), wait: this.#wait.pack() }
  }

  /** For the next sum. */
  clear(): void {
    this.success = this.failed = 0
    this.#duration.clear()
    this.#wait.clear()
  }
}

/** What finished of each task in spans of which each has its tasks. */
export function toWindowsByTask(spans: ReadonlyArray<ReadonlyMap<string, ReadonlyTally>>): Map<string, FinishedWindow> {
  const windows = new Map<string, FinishedWindow>()
  const sum = new TallySum()
  for (const task of new Set(spans.flatMap(tasks => [...tasks.keys()]))) {
    for (const tasks of spans) {
      const tally = tasks.get(task)
      if (tally !== undefined) sum.add(tally)
    }
    windows.set(task, sum.toWindow())
    sum.clear()
  }
  return windows
}

/**
 * First and last (exclusive) number of the minutes or hours that [fromMs, toMs) touches, at most `keptMs` long; none of a range that is
 * empty.
 */
export function spansTouched(fromMs: number, toMs: number, spanMs: number, keptMs: number): { first: number; end: number } {
  const first = Math.floor(Math.max(0, fromMs) / spanMs)
  if (toMs <= fromMs) return { first, end: first }
  const end = Math.ceil(Math.max(0, toMs) / spanMs)
  return { first: Math.max(first, end - keptMs / spanMs - 1), end }
}

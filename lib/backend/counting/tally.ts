import { type Histogram, type OpenHistogram, countInto } from './histogram.ts'
import { HistogramSum, type DurationPercentiles } from './histogram-sum.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../time/units.ts'
import type { LedgerEntry } from '../entry/ledger-entry.ts'
import { PackedHistogram } from './packed-histogram.ts'

export type RollupSpan = 'minute' | 'hour' | 'day'

/** How long hourly roll-ups, and other hourly counts, are kept. */
export const HOURS_KEPT_MS = 90 * DAY_MS
const YEAR_MS = 365 * DAY_MS
/**
 * Length and retention of each span, overall and per task. Per-task minutes are kept for less time because there are so many more of them.
 */
export const ROLLUP_SPANS: Readonly<Record<RollupSpan, { readonly ms: number; readonly keptMs: number; readonly taskKeptMs: number }>> = {
  minute: { ms: MINUTE_MS, keptMs: 48 * HOUR_MS, taskKeptMs: 6 * HOUR_MS },
  hour: { ms: HOUR_MS, keptMs: HOURS_KEPT_MS, taskKeptMs: HOURS_KEPT_MS },
  day: { ms: DAY_MS, keptMs: 10 * YEAR_MS, taskKeptMs: 10 * YEAR_MS }
}
export const EACH_ROLLUP_SPAN = Object.entries(ROLLUP_SPANS) as ReadonlyArray<readonly [RollupSpan, typeof ROLLUP_SPANS[RollupSpan]]>
/** How long attempts of an execution that never finishes are kept. */
export const ATTEMPTS_KEPT_MS = 30 * 24 * HOUR_MS
/** Stands for all tasks. No task has this name, because task names are not empty. */
export const OVERALL = ''

/** What finished in a time span, for display. */
export interface FinishedWindow {
  readonly success: number
  readonly failed: number
  readonly duration: DurationPercentiles | null
  readonly wait: DurationPercentiles | null
}

/** What finished in a time span, in a form that can be added up. */
export interface ReadonlyTally {
  readonly success: number
  readonly failed: number
  readonly duration: Histogram
  readonly wait: Histogram
}

/** A mutable tally. */
export interface Tally extends ReadonlyTally {
  success: number
  failed: number
  readonly duration: OpenHistogram
  readonly wait: OpenHistogram
}

/** A compact tally for caches. */
export interface PackedTally extends ReadonlyTally {
  readonly duration: PackedHistogram
  readonly wait: PackedHistogram
}

export function emptyTally(): Tally {
  return { success: 0, failed: 0, duration: new Map(), wait: new Map() }
}

export function tallyInto(tally: Tally, entry: LedgerEntry): void {
  const { status } = entry.execution
  if (status === 'cancelled') return
  tally[status]++
  if (entry.durationBin !== null) countInto(tally.duration, entry.durationBin)
  if (entry.waitBin !== null) countInto(tally.wait, entry.waitBin)
}

export function packTally({ success, failed, duration, wait }: ReadonlyTally): PackedTally {
  return { success, failed, duration: new PackedHistogram(duration), wait: new PackedHistogram(wait) }
}

/** Approximate memory, including percentiles that readers may cache beside it. */
export function bytesOfTally({ duration, wait }: PackedTally): number {
  return duration.bytes + wait.bytes + 350
}

export function toFinishedWindow(tally: ReadonlyTally): FinishedWindow {
  const sum = new TallySum()
  sum.add(tally)
  return sum.toWindow()
}

/** Adds up many tallies and can be reused after `clear()`. */
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

  /** Resets it for reuse. */
  clear(): void {
    this.success = this.failed = 0
    this.#duration.clear()
    this.#wait.clear()
  }
}

/** The task that a task is a part of; null for none. */
export type WholeOf = (taskName: string) => string | null

/** Tallies by task; undefined for a span without any. */
type SpanOfTasks = ReadonlyMap<string, ReadonlyTally> | undefined

/** Adds up spans into one window per task. The window of a task with parts includes its parts. */
export function toWindowsByTask(spans: readonly SpanOfTasks[], wholeOf: WholeOf = () => null): Map<string, FinishedWindow> {
  const windows = new Map<string, FinishedWindow>()
  const sum = new TallySum()
  const added = new Map<string, string[]>()
  for (const task of new Set(spans.flatMap(tasks => [...tasks?.keys() ?? []]))) {
    for (const each of [task, wholeOf(task)]) if (each !== null) added.set(each, [...added.get(each) ?? [], task])
  }
  for (const [task, parts] of added) {
    for (const tasks of spans) {
      for (const part of parts) {
        const tally = tasks?.get(part)
        if (tally !== undefined) sum.add(tally)
      }
    }
    windows.set(task, sum.toWindow())
    sum.clear()
  }
  return windows
}

/** Finished executions per task in each span. The counts of a task with parts include its parts. */
export function toCountsByTask(spans: readonly SpanOfTasks[], wholeOf: WholeOf = () => null): Map<string, number[]> {
  const counts = new Map<string, number[]>()
  for (const [index, tasks] of spans.entries()) {
    for (const [task, { success, failed }] of tasks ?? []) {
      for (const each of [task, wholeOf(task)]) {
        if (each === null) continue
        const ofTask = counts.get(each) ?? spans.map(() => 0)
        ofTask[index]! += success + failed
        counts.set(each, ofTask)
      }
    }
  }
  return counts
}

/**
 * First and last (exclusive) number of the minutes or hours that overlap [fromMs, toMs), limited to the last `keptMs`. Empty for an empty
 * range.
 */
export function spansTouched(fromMs: number, toMs: number, spanMs: number, keptMs: number): { first: number; end: number } {
  const first = Math.floor(Math.max(0, fromMs) / spanMs)
  if (toMs <= fromMs) return { first, end: first }
  const end = Math.ceil(Math.max(0, toMs) / spanMs)
  return { first: Math.max(first, end - keptMs / spanMs - 1), end }
}

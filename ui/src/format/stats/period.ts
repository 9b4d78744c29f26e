import type { Timeseries, TimeseriesPoint } from '../../../../schemas/index.ts'
import { formatInterval } from '../time/duration.ts'
import { MINUTE_MS } from '../time/units.ts'
import { formatRate } from './number.ts'
import type { TimeRange } from '../time/time-range.ts'
import { rangeLength } from '../time/time-range.ts'
import { statsTexts } from '../../texts/stats.ts'

/** What is known to have finished in a span. */
export interface Tally {
  readonly success: number
  readonly failed: number
  /** Length of the known part of the span, without the future. */
  readonly ms: number
  /** Whether no part is missing. */
  readonly isWhole: boolean
}

/** null when nothing is known. */
export function tally(points: readonly TimeseriesPoint[], stepMs: number, now: number): Tally | null {
  const known = points.filter(({ gap, success, failed }) => gap === null && success !== null && failed !== null)
  if (known.length === 0) return null
  return {
    success: known.reduce((sum, point) => sum + point.success!, 0),
    failed: known.reduce((sum, point) => sum + point.failed!, 0),
    ms: known.reduce((sum, point) => sum + (point.open ? Math.min(stepMs, Math.max(0, now - Date.parse(point.at))) : stepMs), 0),
    isWhole: known.length === points.length
  }
}

export function failureRate({ success, failed }: Pick<Tally, 'success' | 'failed'>): number | null {
  return success + failed === 0 ? null : (failed / (success + failed)) * 100
}

/** The figures of a range beside those of the span before it. */
export interface Period {
  readonly now: Tally | null
  /** Null while it is unknown or incomplete: half a span cannot be compared. */
  readonly before: Tally | null
  /** For the drawing; null where nothing is known. */
  readonly finished: ReadonlyArray<number | null>
  /** Percent; null where nothing finished, or nothing is known. */
  readonly rates: ReadonlyArray<number | null>
}

interface Before {
  readonly points: readonly TimeseriesPoint[]
  readonly stepMs: number
}

export function toPeriod(series: Timeseries, before: Before | null, now: number): Period {
  const past = before && tally(before.points, before.stepMs, now)
  return {
    now: tally(series.points, series.step_ms, now),
    before: past?.isWhole ? past : null,
    finished: series.points.map(({ throughput_per_minute: pace }) => pace),
    rates: series.points.map(({ success, failed }) =>
      (success === null || failed === null ? null : failureRate({ success, failed })))
  }
}

export interface Change {
  readonly direction: 'up' | 'down' | 'same'
  /** `12 %`, `1.4 points`. */
  readonly text: string
}

/** Compares the pace, because the two spans seldom have the same length: the newest point is still open. */
export function paceChange({ now, before }: Period): Change | null {
  if (!now || !before || now.ms === 0 || before.ms === 0) return null
  const [pace, paceBefore] = [now, before].map(({ success, failed, ms }) => (success + failed) / ms) as [number, number]
  if (paceBefore === 0) return pace === 0 ? same() : { direction: 'up', text: statsTexts.fromNone }
  const percent = (pace / paceBefore - 1) * 100
  if (Math.abs(percent) < 1) return same()
  const text = percent >= 1_000 ? statsTexts.times(Math.round(pace / paceBefore)) : `${Math.round(Math.abs(percent))} %`
  return { direction: percent > 0 ? 'up' : 'down', text }
}

/** In points: from 1 % to 2 % is one point more, not twice as much. */
export function failureChange({ now, before }: Period): Change | null {
  const [rate, rateBefore] = [now && failureRate(now), before && failureRate(before)]
  if (rate === null || rateBefore === null) return null
  const points = rate - rateBefore
  if (Math.abs(points) < 0.05) return same()
  return { direction: points > 0 ? 'up' : 'down', text: statsTexts.points(formatRate(Math.abs(points)).replace(' %', '')) }
}

function same(): Change {
  return { direction: 'same', text: statsTexts.asBefore }
}

/** `the 24 h before`. */
export function beforeWords(range: TimeRange, now: number): string {
  return statsTexts.spanBefore(formatInterval(Math.round(rangeLength(range, now) / MINUTE_MS) * MINUTE_MS))
}

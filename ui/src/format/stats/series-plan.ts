import type { Timeseries, TimeseriesPoint, TimeseriesQuery } from '../../../../schemas/index.ts'
import { DAY, HOUR, MINUTE } from '../time/duration.ts'
import type { TimeRange } from '../time/time-range.ts'
import { rangeLength } from '../time/time-range.ts'

type Window = NonNullable<TimeseriesQuery['window']>
type Step = NonNullable<TimeseriesQuery['step']>

/** What to ask the API for. It counts back from now, so what ends earlier is cut out of the answer. */
export interface SeriesPlan {
  readonly window: Window
  readonly step: Step
  readonly stepMs: number
}

/** All of the API, shortest first. */
const WINDOW_MS: Record<Window, number> = {
  '15m': 15 * MINUTE, '1h': HOUR, '6h': 6 * HOUR, '24h': DAY, '7d': 7 * DAY, '30d': 30 * DAY, '90d': 90 * DAY, '1y': 365 * DAY
}
const STEP_MS: Record<Step, number> = {
  '1m': MINUTE, '5m': 5 * MINUTE, '15m': 15 * MINUTE, '30m': 30 * MINUTE, '1h': HOUR, '3h': 3 * HOUR, '6h': 6 * HOUR, '12h': 12 * HOUR,
  '1d': DAY, '3d': 3 * DAY, '7d': 7 * DAY
}
const WINDOWS = Object.entries(WINDOW_MS) as ReadonlyArray<readonly [Window, number]>
const STEPS = Object.entries(STEP_MS) as ReadonlyArray<readonly [Step, number]>
/** Of the API. */
const MAX_POINTS = 1_500
/** Minutes are kept for two days, those of a single task for six hours; hours for three months. */
const [MINUTES_KEPT_MS, MINUTES_OF_TASK_KEPT_MS, HOURS_KEPT_MS] = [48 * HOUR, 6 * HOUR, 90 * DAY]
const POINTS_DRAWN = 180
/** Enough for one sum, whose ends are then at most a fifteenth off. */
const POINTS_COMPARED = 15

/** @param isOfTask of a single task: short spans are kept for less long */
export function planSeries(range: TimeRange, now: number, isOfTask = false): SeriesPlan | null {
  return plan(now - beginOf(range, now), rangeLength(range, now) / POINTS_DRAWN, isOfTask)
}

/** For the sum of the span before, which is as long; null where the API does not reach that far back. */
export function planBefore(range: TimeRange, now: number): SeriesPlan | null {
  const length = rangeLength(range, now)
  return plan(now - beginOf(range, now) + length, length / POINTS_COMPARED, false)
}

function beginOf(range: TimeRange, now: number): number {
  return range.kind === 'last' ? now - range.ms : range.from
}

function plan(reach: number, leastStep: number, isOfTask: boolean): SeriesPlan | null {
  const found = WINDOWS.find(([, ms]) => ms >= reach)
  if (!found) return null
  const [window, windowMs] = found
  const minutesKept = isOfTask ? MINUTES_OF_TASK_KEPT_MS : MINUTES_KEPT_MS
  const multiple = reach <= minutesKept ? MINUTE : reach <= HOURS_KEPT_MS ? HOUR : DAY
  const step = STEPS.find(([, ms]) => ms >= leastStep && ms <= windowMs && windowMs / ms <= MAX_POINTS && ms % multiple === 0)
  return step ? { window, step: step[0], stepMs: step[1] } : null
}

/** The points of a range, and of no other time. */
export function cutSeries(series: Timeseries, range: TimeRange): Timeseries {
  const count = range.kind === 'last' ? Math.ceil(range.ms / series.step_ms) : 0
  const points = range.kind === 'last' ? series.points.slice(-count) : within(series, range.from, range.to ?? Infinity)
  return { ...series, points, from: points[0]?.at ?? series.from }
}

/** The points of the span before a range. */
export function cutBefore(series: Timeseries, range: TimeRange, now: number): TimeseriesPoint[] {
  const first = Math.round(beginOf(range, now) / series.step_ms) * series.step_ms
  const count = Math.max(1, Math.round(rangeLength(range, now) / series.step_ms))
  return within(series, first - count * series.step_ms, first)
}

function within({ points, step_ms: step }: Timeseries, from: number, to: number): TimeseriesPoint[] {
  const first = Math.floor(from / step) * step
  return points.filter(({ at }) => Date.parse(at) >= first && Date.parse(at) < to)
}

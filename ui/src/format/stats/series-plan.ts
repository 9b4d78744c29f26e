import type { Timeseries, TimeseriesPoint, TimeseriesQuery } from '../../../../schemas/index.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../time/units.ts'
import { MAX_RANGE_MS, rangeLength, rangeWords, type TimeRange } from '../time/time-range.ts'

type Window = NonNullable<TimeseriesQuery['window']>
type Step = NonNullable<TimeseriesQuery['step']>

/** What to request from the API. It counts back from now, so a range that ends earlier is cut out of the response. */
export interface SeriesPlan {
  readonly window: Window
  readonly step: Step
  readonly stepMs: number
}

/** All windows of the API, shortest first. */
const WINDOW_MS: Record<Window, number> = {
  '15m': 15 * MINUTE_MS, '1h': HOUR_MS, '6h': 6 * HOUR_MS, '24h': DAY_MS, '7d': 7 * DAY_MS, '30d': 30 * DAY_MS, '90d': 90 * DAY_MS,
  '1y': 365 * DAY_MS
}
const STEP_MS: Record<Step, number> = {
  '1m': MINUTE_MS, '5m': 5 * MINUTE_MS, '15m': 15 * MINUTE_MS, '30m': 30 * MINUTE_MS, '1h': HOUR_MS, '3h': 3 * HOUR_MS, '6h': 6 * HOUR_MS,
  '12h': 12 * HOUR_MS,
  '1d': DAY_MS, '3d': 3 * DAY_MS, '7d': 7 * DAY_MS
}
const WINDOWS = Object.entries(WINDOW_MS) as ReadonlyArray<readonly [Window, number]>
const STEPS = Object.entries(STEP_MS) as ReadonlyArray<readonly [Step, number]>
/** The limit of the API. */
const MAX_POINTS = 1_500
/** Minutes are kept for two days, those of a single task for six hours; hours for three months. */
const [MINUTES_KEPT_MS, MINUTES_OF_TASK_KEPT_MS, HOURS_KEPT_MS] = [48 * HOUR_MS, 6 * HOUR_MS, 90 * DAY_MS]
const POINTS_DRAWN = 180
/** Enough for one sum, with an error of at most a fifteenth at its ends. */
const POINTS_COMPARED = 15
/** A plan is used until the next minute. By then, a range with fixed ends is further in the past. */
const PLAN_SERVES_MS = MINUTE_MS
const NOT_KNOWN = { success: null, failed: null, throughput_per_minute: null, open: false, gap: 'not_kept' } as const

/**
 * Null if the API does not reach that far back. If the range begins up to a day before its reach, the API returns what it has.
 * @param isOfTask whether the series is of a single task, whose short spans are kept for a shorter time
 */
export function planSeries(range: TimeRange, now: number, isOfTask = false): SeriesPlan | null {
  const leastStep = rangeLength(range, now) / POINTS_DRAWN
  if (range.kind === 'last') return plan(range.ms, leastStep, isOfTask, 0)
  const reach = now - range.from
  if (reach > MAX_RANGE_MS + DAY_MS) return null
  return plan(reach + PLAN_SERVES_MS, leastStep, isOfTask, 1) ?? plan(MAX_RANGE_MS, leastStep, isOfTask, 0)
}

/** For the total of the previous span of the same length; null if the API does not go back that far. */
export function planBefore(range: TimeRange, now: number): SeriesPlan | null {
  const length = rangeLength(range, now)
  // Its ends are rounded to whole steps.
  return plan(now - beginOf(range, now) + length + PLAN_SERVES_MS, length / POINTS_COMPARED, false, 2)
}

function beginOf(range: TimeRange, now: number): number {
  return range.kind === 'last' ? now - range.ms : range.from
}

/** @param room extra steps, because the first point of a response begins up to a step after the window */
function plan(reach: number, leastStep: number, isOfTask: boolean, room: number): SeriesPlan | null {
  const minutesKept = isOfTask ? MINUTES_OF_TASK_KEPT_MS : MINUTES_KEPT_MS
  for (const [window, windowMs] of WINDOWS) {
    const found = STEPS.find(([, ms]) => {
      const needed = reach + room * ms
      const multiple = needed <= minutesKept ? MINUTE_MS : needed <= HOURS_KEPT_MS ? HOUR_MS : DAY_MS
      return ms >= leastStep && needed <= windowMs && ms <= windowMs && windowMs / ms <= MAX_POINTS && ms % multiple === 0
    })
    if (found) return { window, step: found[0], stepMs: found[1] }
  }
  return null
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

/** The part that the response does not cover is included as unknown, so that half a span is never taken for all of it. */
function within({ points, step_ms: step }: Timeseries, from: number, to: number): TimeseriesPoint[] {
  const first = Math.floor(from / step) * step
  const answered = points[0] ? Date.parse(points[0].at) : first
  const missing = Math.max(0, Math.ceil((Math.min(answered, to) - first) / step))
  return [
    ...Array.from({ length: missing }, (_, index) => ({ ...NOT_KNOWN, at: new Date(first + index * step).toISOString() })),
    ...points.filter(({ at }) => Date.parse(at) >= first && Date.parse(at) < to)
  ]
}

/** The range in words. If only whole hours or days of it are kept, the span that they cover. */
export function summedWords(range: TimeRange, { points, step_ms: step }: Pick<Timeseries, 'points' | 'step_ms'>, now: number): string {
  const [first, last] = [points[0], points.at(-1)]
  if (range.kind === 'last' || !first || !last) return rangeWords(range, now)
  const [from, to] = [Date.parse(first.at), Date.parse(last.at) + step]
  const isWider = from < range.from || (range.to !== null && to > range.to)
  return rangeWords(isWider ? { kind: 'between', from, to: to >= now ? null : to } : range, now)
}

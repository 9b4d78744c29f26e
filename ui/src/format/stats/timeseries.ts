import type { Timeseries, TimeseriesPoint } from '../../../../schemas/index.ts'
import { statsTexts } from '../../texts/stats.ts'

/** Columns for drawing; null where nothing is known. */
export interface ChartColumns {
  /** Starts of the spans, seconds since the epoch. */
  readonly at: number[]
  /** Start of the span that is not over, seconds since the epoch; null if there is none. */
  readonly openFrom: number | null
  /** Executions per minute: all that finished, and those that failed. */
  readonly finished: Array<number | null>
  readonly failed: Array<number | null>
  /** Milliseconds. */
  readonly p50: Array<number | null>
  readonly p95: Array<number | null>
  readonly p99: Array<number | null>
}

export function toChartColumns(points: readonly TimeseriesPoint[]): ChartColumns {
  return {
    at: points.map(secondsOf),
    openFrom: points.filter(point => point.open).map(secondsOf)[0] ?? null,
    finished: points.map(perMinute),
    failed: points.map(failedPerMinute),
    p50: points.map(point => point.p50 ?? null),
    p95: points.map(point => point.p95 ?? null),
    p99: points.map(point => point.p99 ?? null)
  }
}

function secondsOf({ at }: TimeseriesPoint): number {
  return Date.parse(at) / 1000
}

/** A span in its first minute has no pace yet: what has finished so far is a lower bound for this minute. */
function perMinute({ success, failed, open, throughput_per_minute: pace }: TimeseriesPoint): number | null {
  return pace ?? (open && success !== null && failed !== null ? success + failed : null)
}

function failedPerMinute(point: TimeseriesPoint): number | null {
  const { success, failed } = point
  const pace = perMinute(point)
  if (pace === null || success === null || failed === null) return null
  return success + failed === 0 ? 0 : pace * (failed / (success + failed))
}

export interface SeriesSummary {
  readonly success: number
  readonly failed: number
  /** Start of the known part, RFC 3339; null if everything is known. */
  readonly knownSince: string | null
  /** Nothing is known about any span. */
  readonly isUnknown: boolean
  readonly gap: TimeseriesPoint['gap']
}

export function summarize({ points }: Pick<Timeseries, 'points'>): SeriesSummary {
  const known = points.filter(point => point.gap === null)
  return {
    success: known.reduce((sum, point) => sum + (point.success ?? 0), 0),
    failed: known.reduce((sum, point) => sum + (point.failed ?? 0), 0),
    knownSince: known.length > 0 && known[0] !== points[0] ? known[0]!.at : null,
    isUnknown: known.length === 0,
    gap: points.find(point => point.gap !== null)?.gap ?? null
  }
}

/** Why a span has no numbers. */
export function gapWords(gap: TimeseriesPoint['gap']): string {
  return gap === 'not_kept' ? statsTexts.gapNotKept : statsTexts.gapNotCounted
}

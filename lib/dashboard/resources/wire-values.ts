import type { Statistics } from '../../queue-app/monitoring/monitoring.ts'

/** Wire formats: RFC 3339 times, percentages, null for values that JSON lacks. */

export function toCounts({ pending, running, success, failed }: Statistics['executions']) {
  return { pending, running, success, failed }
}

export function toPercentiles(percentiles: Statistics['duration']) {
  return percentiles && { p50: percentiles.p50, p95: percentiles.p95, p99: percentiles.p99 }
}

export function percentOf(part: number, whole: number): number {
  return whole === 0 ? 0 : (part / whole) * 100
}

/** Unlimited is Infinity, which JSON lacks. */
export function toLimit(value: number): number | null {
  return Number.isFinite(value) ? value : null
}

export function toTimestamp(ms: number): string {
  return new Date(ms).toISOString()
}

export function toTimestampOrNull(ms: number | null): string | null {
  return ms === null ? null : toTimestamp(ms)
}

/** Cuts without splitting a surrogate pair. */
export function cut(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const end = text.charCodeAt(maxLength - 1)
  return text.slice(0, end >= 0xd800 && end <= 0xdbff ? maxLength - 1 : maxLength)
}

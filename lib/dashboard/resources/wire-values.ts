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

/** RFC 3339 has four digits for the year. Other code may have put any time into its jobs. */
export function toTimestamp(ms: number): string {
  return new Date(Math.max(FIRST_MS, Math.min(LAST_MS, ms))).toISOString()
}

const FIRST_MS = Date.parse('0000-01-01T00:00:00.000Z')
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z')

export function toTimestampOrNull(ms: number | null): string | null {
  return ms === null ? null : toTimestamp(ms)
}

/** Cuts without splitting a surrogate pair. */
export function cut(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const end = text.charCodeAt(maxLength - 1)
  return text.slice(0, end >= 0xd800 && end <= 0xdbff ? maxLength - 1 : maxLength)
}

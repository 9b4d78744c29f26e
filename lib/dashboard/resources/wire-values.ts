import type { Statistics } from '../../queue-app/monitoring/monitoring.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../time/units.ts'

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

let known = { day: NaN, date: '' }
const TWO_DIGITS = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'))

/**
 * A time in RFC 3339, whose years have four digits. Other code may have put any time into its jobs, so it is clamped. The date is cached,
 * because a page has hundreds of times, most of the same day, and `toISOString` takes several times as long.
 */
export function toTimestamp(ms: number): string {
  const at = Math.trunc(Math.max(FIRST_MS, Math.min(LAST_MS, ms)))
  const day = Math.floor(at / DAY_MS)
  if (day !== known.day) known = { day, date: new Date(day * DAY_MS).toISOString().slice(0, 'YYYY-MM-DDT'.length) }
  const msOfDay = at - day * DAY_MS
  const [hours, minutes] = [Math.floor(msOfDay / HOUR_MS), Math.floor(msOfDay / MINUTE_MS) % 60]
  const [seconds, rest] = [Math.floor(msOfDay / SECOND_MS) % 60, msOfDay % SECOND_MS]
  return `${known.date}${TWO_DIGITS[hours]}:${TWO_DIGITS[minutes]}:${TWO_DIGITS[seconds]}.${String(rest).padStart(3, '0')}Z`
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

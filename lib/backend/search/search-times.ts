import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../time/units.ts'

const UNITS_MS = { ms: 1, s: SECOND_MS, m: MINUTE_MS, h: HOUR_MS, d: DAY_MS, w: 7 * DAY_MS } as const
const DURATION = /^(\d+(?:\.\d+)?)(ms|s|m|h|d|w)$/
const INSTANT = /^(\d{4}-\d{2}-\d{2})(?:t(\d{2}:\d{2})(:\d{2}(?:\.\d{1,9})?)?(z|[+-]\d{2}:\d{2}))?$/
/** The latest time a Date can hold. */
const LAST_INSTANT_MS = 8.64e15

/** Parses `250ms`, `1.5h` or `7d` to milliseconds; null if it is not a duration. */
export function durationMsFrom(text: string): number | null {
  const [, number, unit] = DURATION.exec(text.toLowerCase()) ?? []
  const ms = Number(number) * UNITS_MS[unit as keyof typeof UNITS_MS]
  return ms <= LAST_INSTANT_MS ? ms : null
}

/**
 * Parses a duration back from now, a date (its start, UTC) or an instant with an offset. Returns milliseconds since the epoch, at least 0;
 * null if it is none of these.
 */
export function instantMsFrom(text: string, nowMs: number): number | null {
  const back = durationMsFrom(text)
  if (back !== null) return Math.max(0, Math.round(nowMs - back))
  const [, date, time = '00:00', seconds = ':00', offset = 'z'] = INSTANT.exec(text.toLowerCase()) ?? []
  // Date.parse() reads February 30 as March 2.
  if (date === undefined || !isDate(date)) return null
  const ms = Date.parse(`${date}T${time}${seconds}${offset.toUpperCase()}`)
  return Number.isNaN(ms) ? null : Math.max(0, ms)
}

/** The smallest number above `value`, which must not be negative. */
export function nextAbove(value: number): number {
  const bits = new BigInt64Array(1)
  const number = new Float64Array(bits.buffer)
  number[0] = value
  bits[0]!++
  return number[0]
}

function isDate(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

import { formatNumber } from '../../texts/numbers.ts'
import { timeTexts } from '../../texts/time.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from './units.ts'

/** A duration in at most two units: `840 ms`, `1.24 s`, `3 m 12 s`, `2 h 5 m`, `3 d 4 h`. */
export function formatDuration(ms: number): string {
  const { units } = timeTexts
  if (ms < 1) return `${ms === 0 ? '0' : '< 1'} ${units.ms}`
  if (ms < 999.5) return `${formatNumber(ms < 10 ? Number(ms.toFixed(1)) : Math.round(ms))} ${units.ms}`
  if (ms < 9_995) return `${formatNumber(Number((ms / SECOND_MS).toFixed(2)))} ${units.s}`
  if (ms < 59_950) return `${formatNumber(Number((ms / SECOND_MS).toFixed(1)))} ${units.s}`
  return formatSpan(ms)
}

/** Whole seconds and above, for countdowns and ages: `12 s`, `3 m 12 s`, `2 h 5 m`. */
export function formatSpan(ms: number): string {
  const { s, m, h, d } = timeTexts.units
  if (ms < MINUTE_MS) return `${Math.floor(ms / SECOND_MS)} ${s}`
  if (ms < HOUR_MS) return pair(ms, MINUTE_MS, m, SECOND_MS, s)
  if (ms < 2 * DAY_MS) return pair(ms, HOUR_MS, h, MINUTE_MS, m)
  return pair(ms, DAY_MS, d, HOUR_MS, h)
}

/** `in 3 m 12 s`, `2 h 5 m ago`, `now`. */
export function formatRelative(at: number, now: number): string {
  const distance = at - now
  if (Math.abs(distance) < SECOND_MS) return timeTexts.now
  // After more than a minute, seconds would only flicker.
  const past = -distance
  if (past > 0) return timeTexts.ago(past < MINUTE_MS ? formatSpan(past) : formatAge(past))
  return timeTexts.in(formatSpan(distance))
}

/** The largest unit only: `42 m`, `5 h`, `3 d`. */
export function formatAge(ms: number): string {
  const { s, m, h, d } = timeTexts.units
  if (ms < MINUTE_MS) return `${Math.max(0, Math.floor(ms / SECOND_MS))} ${s}`
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} ${m}`
  if (ms < 2 * DAY_MS) return `${Math.floor(ms / HOUR_MS)} ${h}`
  return `${Math.floor(ms / DAY_MS)} ${d}`
}

/** Exact, with every unit it needs: `1 m 30 s`. */
export function formatInterval(ms: number): string {
  const parts: string[] = []
  let rest = ms
  const { units } = timeTexts
  for (const [unit, name] of [[DAY_MS, units.d], [HOUR_MS, units.h], [MINUTE_MS, units.m], [SECOND_MS, units.s], [1, units.ms]] as const) {
    const count = Math.floor(rest / unit)
    if (count > 0) parts.push(`${count} ${name}`)
    rest -= count * unit
  }
  return parts.join(' ') || `0 ${units.ms}`
}

function pair(ms: number, unit: number, name: string, smaller: number, smallerName: string): string {
  const rest = Math.floor((ms % unit) / smaller)
  return `${Math.floor(ms / unit)} ${name}${rest > 0 ? ` ${rest} ${smallerName}` : ''}`
}

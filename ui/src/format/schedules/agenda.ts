import type { ScheduleAgenda } from '../../../../schemas/index.ts'
import { isInUtc } from '../time/time.ts'
import { DAY_MS, HOUR_MS } from '../time/units.ts'

/** Runs in the hours of one local day; null for hours outside the agenda. */
export interface AgendaDay {
  /** Midnight in the reader's zone, milliseconds since the epoch. */
  readonly start: number
  /** 24 numbers. If clocks go back, the repeated hour counts in one of them. If they go forward, the skipped hour is null. */
  readonly counts: ReadonlyArray<number | null>
  readonly total: number
}

/** The totals as local days of 24 hours. */
export function toAgendaDays({ hours, totals }: Pick<ScheduleAgenda, 'hours' | 'totals'>): AgendaDay[] {
  const days = new Map<number, Array<number | null>>()
  hours.forEach((hour, index) => {
    const at = new Date(hour)
    const counts = days.get(startOfDay(at.getTime())) ?? Array.from({ length: 24 }, () => null)
    days.set(startOfDay(at.getTime()), counts)
    const clock = isInUtc() ? at.getUTCHours() : at.getHours()
    counts[clock] = (counts[clock] ?? 0) + totals[index]!
  })
  return [...days].map(([start, counts]) => ({ start, counts, total: counts.reduce<number>((sum, count) => sum + (count ?? 0), 0) }))
}

/** Adds up the hourly numbers of one schedule by local day. */
export function addUpDays(hours: readonly string[], counts: readonly number[], days: readonly AgendaDay[]): number[] {
  const sums = new Map(days.map(({ start }) => [start, 0]))
  hours.forEach((hour, index) => {
    const day = startOfDay(Date.parse(hour))
    sums.set(day, (sums.get(day) ?? 0) + counts[index]!)
  })
  return days.map(({ start }) => sums.get(start)!)
}

/** Milliseconds since the epoch; at most seven days, of which the first may be the rest of today. */
export interface AgendaSpan {
  readonly from: number
  readonly to: number
}

/** @param day the first one, `2026-11-22` in the reader's zone; null begins with the hour of `now` */
export function toAgendaSpan(days: 1 | 7, day: string | null, now: number): AgendaSpan {
  const hour = Math.floor(now / HOUR_MS) * HOUR_MS
  const midnight = day === null ? null : midnightOf(day)
  if (midnight === null && days === 1) return { from: hour, to: hour + DAY_MS }
  const from = midnight ?? hour
  // Only whole UTC hours are counted. In a zone whose hours begin at half past, the day begins with the first UTC hour in it.
  const [first, last] = [wholeHour(from), wholeHour(nextDays(startOfDay(from), days))]
  return { from: first, to: Math.min(last, first + 7 * DAY_MS) }
}

/** The heaviest hour; null when nothing is planned. */
export function busiestHour(
  { hours, totals }: Pick<ScheduleAgenda, 'hours' | 'totals'>
): { readonly at: string; readonly count: number } | null {
  const count = totals.reduce((max, total) => Math.max(max, total), 0)
  return count === 0 ? null : { at: hours[totals.indexOf(count)]!, count }
}

/** From 0 for nothing to 4 for the most. The scale is logarithmic, so that one heavy schedule does not make all others look alike. */
export function loadLevel(count: number, heaviest: number): 0 | 1 | 2 | 3 | 4 {
  return count === 0 || heaviest === 0 ? 0 : Math.max(1, Math.round((Math.log1p(count) / Math.log1p(heaviest)) * 4)) as 1 | 2 | 3 | 4
}

/** `2026-11-22` in the reader's zone, as the address has it. */
export function dayText(at: number): string {
  if (isInUtc()) return new Date(at).toISOString().slice(0, 10)
  const date = new Date(at)
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()].map(part => String(part).padStart(2, '0')).join('-')
}

function midnightOf(day: string): number | null {
  const parts = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day)
  if (!parts) return null
  const [year, month, date] = parts.slice(1).map(Number) as [number, number, number]
  const at = isInUtc() ? Date.UTC(year, month - 1, date) : new Date(year, month - 1, date).getTime()
  return dayText(at) === day ? at : null
}

function startOfDay(at: number): number {
  return isInUtc() ? new Date(at).setUTCHours(0, 0, 0, 0) : new Date(at).setHours(0, 0, 0, 0)
}

function wholeHour(at: number): number {
  return Math.ceil(at / HOUR_MS) * HOUR_MS
}

/** By the calendar: a day can have 23 or 25 hours. */
function nextDays(midnight: number, count: number): number {
  if (isInUtc()) return midnight + count * DAY_MS
  const date = new Date(midnight)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + count).getTime()
}

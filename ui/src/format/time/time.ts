import { localeFor } from '../../texts/language.ts'
import { timeTexts } from '../../texts/time.ts'
import { DAY_MS, MINUTE_MS } from './units.ts'

let inUtc = false

/** Whether the reader wants times in UTC instead of those of their own zone. */
export function isInUtc(): boolean {
  return inUtc
}

export function setInUtc(isWanted: boolean): void {
  inUtc = isWanted
}

/** Whose time it is: `your time`, `UTC`. */
export function zoneWords(): string {
  return inUtc ? 'UTC' : timeTexts.yourTime
}

/** In the reader's zone unless another is given. With 24 hours and the day before the month, so that no reader has to guess. */
export function formatMoment(at: number, now: number, timeZone?: string): string {
  if (isSameDay(at, now, timeZone)) return format(at, { hour: '2-digit', minute: '2-digit', second: '2-digit' }, timeZone)
  return format(at, { day: 'numeric', month: 'short', ...yearOf(at, now, timeZone), hour: '2-digit', minute: '2-digit' }, timeZone)
}

/** `09:12` for sentences, with the day in front if it is not today, and the year if it is another year. */
export function formatClock(at: number, now: number, timeZone?: string): string {
  const clock = { hour: '2-digit', minute: '2-digit' } as const
  const day = isSameDay(at, now, timeZone) ? {} : { day: 'numeric', month: 'short', ...yearOf(at, now, timeZone) } as const
  return format(at, { ...day, ...clock }, timeZone)
}

function yearOf(at: number, now: number, timeZone?: string): { readonly year?: 'numeric' } {
  return format(at, { year: 'numeric' }, timeZone) === format(now, { year: 'numeric' }, timeZone) ? {} : { year: 'numeric' }
}

/** `Fri 20 Nov 2026 09:12:03.040`, where every digit counts. */
export function formatExact(at: number, timeZone?: string): string {
  const day = format(at, { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' }, timeZone).replace(',', '')
  const clock = format(at, { hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3 }, timeZone)
  return `${day} ${clock}`
}

/** `2026-11-20 09:12:03.040 UTC`, for the tooltip. */
export function formatUtc(at: number): string {
  return `${new Date(at).toISOString().replace('T', ' ').replace('Z', '')} UTC`
}

/**
 * Local times of a zone as the preview gives them, `2026-03-29T03:30:00`: `Sun 29 Mar 03:30`, with year and seconds in all when one of them
 * needs it.
 */
export function formatLocals(locals: readonly string[], now: number): string[] {
  const year = locals.every(local => local.startsWith(String(new Date(now).getFullYear()))) ? {} : { year: 'numeric' as const }
  const seconds = locals.every(local => local.length <= 16 || local.slice(16) === ':00') ? {} : { second: '2-digit' as const }
  return locals.map(local => {
    const at = Date.parse(`${local}Z`)
    if (Number.isNaN(at)) return local
    return format(
      at, { weekday: 'short', day: '2-digit', month: 'short', ...year, hour: '2-digit', minute: '2-digit', ...seconds }, 'UTC'
    ).replaceAll(
      ',', ''
    )
  })
}

/** `Sun 22 Nov`. */
export function formatDay(at: number, timeZone?: string): string {
  return format(at, { weekday: 'short', day: 'numeric', month: 'short' }, timeZone).replace(',', '')
}

const INSTANT = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z/g

/** A text of the server with its times in the reader's zone. */
export function withLocalTimes(text: string, now: number): string {
  return text.replace(INSTANT, instant => (Number.isNaN(Date.parse(instant)) ? instant : formatClock(Date.parse(instant), now)))
}

/** For the axis of a chart: the clock, or the day if steps are days or a day begins. */
export function formatAxisTime(at: number, stepMs: number): string {
  const isMidnight = format(at, { hour: '2-digit', minute: '2-digit' }) === '00:00'
  return stepMs >= DAY_MS || isMidnight
    ? format(at, { day: 'numeric', month: 'short' })
    : format(at, { hour: '2-digit', minute: '2-digit' })
}

/** What an `<input type="datetime-local">` holds for an instant, in the reader's zone. */
export function toLocalInput(at: number): string {
  const shifted = new Date(inUtc ? at : at - new Date(at).getTimezoneOffset() * MINUTE_MS)
  return shifted.toISOString().slice(0, 19).replace(/:00$/, '')
}

/**
 * The text of the input as RFC 3339; null if it is not a time.
 * @param isUtc whether it was typed in UTC. Default: whether times are shown in UTC now
 */
export function instantOfInput(text: string, isUtc = inUtc): string | null {
  const at = Date.parse(isUtc && text.includes('T') ? `${text}Z` : text)
  return Number.isNaN(at) ? null : new Date(at).toISOString()
}

function isSameDay(a: number, b: number, timeZone?: string): boolean {
  const day = { year: 'numeric', month: 'numeric', day: 'numeric' } as const
  return format(a, day, timeZone) === format(b, day, timeZone)
}

function format(at: number, options: Intl.DateTimeFormatOptions, timeZone?: string): string {
  return formatter(options, timeZone ?? (inUtc ? 'UTC' : undefined)).format(at)
}

// Creating a formatter costs a hundred times as much as using it, and a list shows hundreds of times.
const formatters = new Map<string, Intl.DateTimeFormat>()

function formatter(options: Intl.DateTimeFormatOptions, timeZone?: string): Intl.DateTimeFormat {
  const locale = localeFor('dates')
  const key = JSON.stringify([locale, options, timeZone])
  let made = formatters.get(key)
  if (!made) {
    made = new Intl.DateTimeFormat(locale, { ...options, hourCycle: 'h23', ...(timeZone ? { timeZone } : {}) })
    formatters.set(key, made)
  }
  return made
}

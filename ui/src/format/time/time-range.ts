import type { AddressChange } from '../places/address.ts'
import { lowerFirst } from '../letter-case.ts'
import { formatInterval } from './duration.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from './units.ts'
import { formatClock, instantOfInput, toLocalInput } from './time.ts'
import { timeTexts } from '../../texts/time.ts'

/** The time range of a page: the last hours up to now, or between two instants. */
export type TimeRange =
  | { readonly kind: 'last'; /** As in the address, for example `24h`. */ readonly text: string; readonly ms: number }
  /** Milliseconds since the epoch; `to` null means now. */
  | { readonly kind: 'between'; readonly from: number; readonly to: number | null }

const UNITS: Readonly<Record<string, number>> = { m: MINUTE_MS, h: HOUR_MS, d: DAY_MS, w: 7 * DAY_MS, y: 365 * DAY_MS }
export const MAX_RANGE_MS = 365 * DAY_MS

/** The ranges that are offered by name. Others can be typed. */
export const PRESETS = ['15m', '1h', '24h', '7d', '30d', '90d', '1y'].map(text => lastOf(text)!)

/** Stands for all time in the address of a page that shows less by default. */
export const ALL_TIME = 'all'

export interface AskedRange {
  /** Null means all time. */
  readonly range: TimeRange | null
  /** What is wrong with the address; null when it could be read. */
  readonly problem: string | null
}

interface Parameters {
  readonly range: string | null
  readonly from: string | null
  readonly to: string | null
}

/**
 * Reads the range of an address. If it cannot be read, the problem is reported and the fallback is used.
 * @param fallback the range that the page shows by default; null means all time
 */
export function readTimeRange({ range, from, to }: Parameters, fallback: TimeRange | null, now: number): AskedRange {
  if (from !== null || to !== null) return readBetween(from, to, fallback, now)
  if (range === null) return { range: fallback, problem: null }
  if (range === ALL_TIME) return { range: null, problem: null }
  const last = lastOf(range)
  if (last) return { range: last, problem: null }
  return refused(fallback, timeTexts.noRange(shortened(range)))
}

function readBetween(from: string | null, to: string | null, fallback: TimeRange | null, now: number): AskedRange {
  const [start, end] = [from, to].map(text => (text === null ? null : instantFrom(text)))
  const bad = start === undefined ? from : end === undefined ? to : null
  if (bad !== null || start === undefined || end === undefined) return refused(fallback, timeTexts.noTime(shortened(bad ?? '')))
  if (start === null) return refused(fallback, timeTexts.needsBeginning)
  if (start >= now) return refused(fallback, timeTexts.rangeHasNotBegun)
  if (end !== null && end <= start) return refused(fallback, timeTexts.rangeEndsBefore)
  if (now - start > MAX_RANGE_MS + DAY_MS) return refused(fallback, timeTexts.rangeTooLong)
  return { range: { kind: 'between', from: start, to: end !== null && end >= now ? null : end }, problem: null }
}

function refused(fallback: TimeRange | null, why: string): AskedRange {
  return { range: fallback, problem: timeTexts.shownInstead(why, lowerFirst(rangeWords(fallback))) }
}

/** `45m`, `6h`, `30d`; null if it is not a duration, or longer than a year. */
export function lastOf(text: string): (TimeRange & { readonly kind: 'last' }) | null {
  const [, count, unit] = /^([1-9]\d{0,5})([mhdwy])$/.exec(text.trim().toLowerCase()) ?? []
  const ms = Number(count) * (UNITS[unit ?? ''] ?? NaN)
  return ms <= MAX_RANGE_MS ? { kind: 'last', text: `${count}${unit}`, ms } : null
}

/** `2026-11-20`, `2026-11-20T09:30` in the reader's zone, or with a zone of its own; undefined if it is not a time. */
function instantFrom(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)?)?$/.test(text)) return undefined
  const hasZone = /^.{11,}(?:Z|[+-]\d\d:\d\d)$/.test(text)
  const instant = hasZone ? text : instantOfInput(text.length === 10 ? `${text}T00:00` : text)
  const at = instant === null ? NaN : Date.parse(instant)
  return Number.isNaN(at) ? undefined : at
}

/** The parameters of the address for a range. */
export function rangeParameters(range: TimeRange | null): AddressChange {
  if (range === null) return { range: ALL_TIME, from: null, to: null }
  if (range.kind === 'last') return { range: range.text, from: null, to: null }
  return { range: null, from: instantText(range.from), to: range.to === null ? null : instantText(range.to) }
}

function instantText(at: number): string {
  return new Date(at).toISOString().replace(/(?::00)?\.000Z$/, 'Z')
}

/** The bounds in a request. A range that ends now starts on a full minute, so that equal requests within a minute have the same ETag. */
export function rangeBounds(range: TimeRange | null, now: number): { readonly from: string | null; readonly to: string | null } {
  if (range === null) return { from: null, to: null }
  if (range.kind === 'last') return { from: new Date(Math.floor((now - range.ms) / MINUTE_MS) * MINUTE_MS).toISOString(), to: null }
  return { from: new Date(range.from).toISOString(), to: range.to === null ? null : new Date(range.to).toISOString() }
}

export function rangeLength(range: TimeRange, now: number): number {
  return range.kind === 'last' ? range.ms : (range.to ?? now) - range.from
}

export function isSameRange(one: TimeRange | null, other: TimeRange | null): boolean {
  return JSON.stringify(one && rangeParameters(one)) === JSON.stringify(other && rangeParameters(other))
}

/** `Last 24 hours`, `20 Nov, 09:00 to 21:30`, `All time`: for the start of a sentence. */
export function rangeWords(range: TimeRange | null, now = Date.now()): string {
  if (range === null) return timeTexts.allTime
  if (range.kind === 'last') return presetText(timeTexts.presets, range.text) ?? timeTexts.lastSpan(formatInterval(range.ms))
  const from = formatClock(range.from, now)
  return range.to === null ? timeTexts.since(from) : timeTexts.between(from, formatClock(range.to, range.from))
}

/** The same within a sentence: `last 24 hours`. */
export function rangeWordsInside(range: TimeRange | null, now: number): string {
  return lowerFirst(rangeWords(range, now))
}

/** `24 h`: as short as it can be. */
export function rangeLabel({ text }: TimeRange & { readonly kind: 'last' }): string {
  return text.replace(/[mhdwy]$/, unit => ` ${timeTexts.units[unit as 'm' | 'h' | 'd' | 'w' | 'y']}`)
}

function presetText(presets: Readonly<Record<string, string>>, text: string): string | undefined {
  return presets[text]
}

/** `in the last 24 hours`, `from 09:00 to 21:30`, `since 09:00`: for the end of a sentence. Empty for all time. */
export function rangePhrase(range: TimeRange | null, now: number): string {
  if (range === null) return ''
  if (range.kind === 'last') return presetText(timeTexts.inPresets, range.text) ?? timeTexts.inLastSpan(formatInterval(range.ms))
  const from = formatClock(range.from, now)
  return range.to === null ? timeTexts.sinceThen(from) : timeTexts.fromTo(from, formatClock(range.to, range.from))
}

/** The range as the fields of the picker contain it. */
export function toInputs(range: TimeRange | null, now: number): { readonly from: string; readonly to: string } {
  if (range === null) return { from: '', to: '' }
  const from = range.kind === 'last' ? now - range.ms : range.from
  const to = range.kind === 'last' ? null : range.to
  return { from: toLocalInput(Math.floor(from / MINUTE_MS) * MINUTE_MS), to: to === null ? '' : toLocalInput(to) }
}

function shortened(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}

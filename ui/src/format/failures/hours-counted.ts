import { HOUR_MS } from '../time/units.ts'
import { rangeBounds, rangeWordsInside, type TimeRange } from '../time/time-range.ts'

/** The time that the counts of failure groups cover: the whole hours that a range touches. The same range if it consists of whole hours. */
export function hoursCounted(range: TimeRange | null, now: number): TimeRange | null {
  if (range === null) return null
  const [from, to] = range.kind === 'last' ? [now - range.ms, null] : [range.from, range.to]
  const end = to === null ? null : Math.ceil(to / HOUR_MS) * HOUR_MS
  const widened = { kind: 'between', from: Math.floor(from / HOUR_MS) * HOUR_MS, to: end === null || end > now ? null : end } as const
  return range.kind === 'between' && widened.from === from && widened.to === to ? range : widened
}

/** The same as instants, RFC 3339; `from` null is all time. */
export function countedBetween(range: TimeRange | null, now: number): { readonly from: string | null; readonly to: string } {
  const { from, to } = rangeBounds(hoursCounted(range, now), now)
  return { from, to: to ?? new Date(now).toISOString() }
}

/** `since 14:00`; null if the range already says it. */
export function hoursCountedWords(range: TimeRange | null, now: number): string | null {
  const counted = hoursCounted(range, now)
  return counted === range ? null : rangeWordsInside(counted, now)
}

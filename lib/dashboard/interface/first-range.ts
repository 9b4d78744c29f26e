import type { TimeseriesStep, TimeseriesWindow } from '../../../schemas/timeseries.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../time/units.ts'

/** The time range of a page. */
export interface FirstRange {
  /** RFC 3339; undefined for all time. */
  readonly from: string | undefined
  /** For its charts. */
  readonly window: TimeseriesWindow
  readonly step: TimeseriesStep
}

/** The ranges that the interface offers by name, with the steps in which it draws them. */
export const NAMED_RANGES: Readonly<Record<string, Omit<FirstRange, 'from'> & { readonly ms: number }>> = {
  '15m': { ms: 15 * MINUTE_MS, window: '15m', step: '1m' },
  '1h': { ms: HOUR_MS, window: '1h', step: '1m' },
  '24h': { ms: DAY_MS, window: '24h', step: '15m' },
  '7d': { ms: 7 * DAY_MS, window: '7d', step: '1h' },
  '30d': { ms: 30 * DAY_MS, window: '30d', step: '6h' },
  '90d': { ms: 90 * DAY_MS, window: '90d', step: '12h' },
  '1y': { ms: 365 * DAY_MS, window: '1y', step: '3d' }
}

/**
 * The range of an address; null if it has no name.
 * @param range the range in the address; null if there is none
 * @param fallback the range that the page then shows
 */
export function rangeOf(range: string | null, fallback: string, now: number): FirstRange | null {
  const name = range || fallback
  const { window, step } = NAMED_RANGES['1y']!
  if (name === 'all') return { from: undefined, window, step }
  const named = Object.hasOwn(NAMED_RANGES, name) ? NAMED_RANGES[name]! : null
  // Rounded down to a minute, as in the interface's requests.
  const from = named && new Date(Math.floor((now - named.ms) / MINUTE_MS) * MINUTE_MS).toISOString()
  return named && { window: named.window, step: named.step, from: from! }
}

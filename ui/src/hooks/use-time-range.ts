import { useMemo } from 'react'
import { currentTime } from '../format/time/clock.ts'
import { isSameRange, rangeParameters, readTimeRange, type AskedRange, type TimeRange } from '../format/time/time-range.ts'
import type { AddressChange } from '../format/places/address.ts'
import { useAddress } from './use-address.ts'

export interface RangeInAddress extends AskedRange {
  /** What the address needs for a range; that of the page itself needs nothing. */
  readonly parameters: (range: TimeRange | null) => AddressChange
}

/**
 * The time that the page is about.
 * @param fallback what it shows by itself: always the same object
 */
export function useTimeRange(fallback: TimeRange | null): RangeInAddress {
  const { get } = useAddress()
  const [range, from, to] = [get('range'), get('from'), get('to')]
  return useMemo(() => ({
    ...readTimeRange({ range, from, to }, fallback, currentTime()),
    parameters: (wanted: TimeRange | null) =>
      (isSameRange(wanted, fallback) ? { range: null, from: null, to: null } : rangeParameters(wanted))
  }), [range, from, to, fallback])
}

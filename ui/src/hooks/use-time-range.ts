import { useMemo } from 'react'
import { currentTime } from '../format/time/clock.ts'
import { isSameRange, rangeParameters, readTimeRange, type AskedRange, type TimeRange } from '../format/time/time-range.ts'
import type { AddressChange } from '../format/places/address.ts'
import { useAddress } from './use-address.ts'

export interface RangeInAddress extends AskedRange {
  /** The address parameters of a range. The page's own range needs none. */
  readonly parameters: (range: TimeRange | null) => AddressChange
}

/**
 * The time range of the page.
 * @param fallback the page's own range, which it shows if the address has none; must always be the same object
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

import { isInUtc, setInUtc } from '../format/time/time.ts'
import { readPreference, usePreference, writePreference } from './use-preference.ts'

/** Before the first paint. */
export function applyZone(): void {
  setInUtc(readPreference('zone') === 'utc')
}

/** Whether times are told in UTC, or in the zone of the reader; kept in the browser. */
export function useZone(): { readonly isUtc: boolean; readonly toggle: () => void } {
  const isUtc = usePreference('zone') === 'utc'
  // Before anything is drawn again.
  if (isUtc !== isInUtc()) setInUtc(isUtc)
  return { isUtc, toggle: () => writePreference('zone', isUtc ? 'local' : 'utc') }
}

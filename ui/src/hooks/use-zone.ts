import { isInUtc, setInUtc } from '../format/time/time.ts'
import { readPreference, usePreference, writePreference } from './use-preference.ts'

/** Before the first paint. */
export function applyZone(): void {
  setInUtc(readPreference('zone') === 'utc')
}

/** Whether times are shown in UTC or in the reader's zone. The choice is kept in the browser. */
export function useZone(): { readonly isUtc: boolean; readonly toggle: () => void } {
  const isUtc = usePreference('zone') === 'utc'
  // Must happen before anything is drawn again.
  if (isUtc !== isInUtc()) setInUtc(isUtc)
  return { isUtc, toggle: () => writePreference('zone', isUtc ? 'local' : 'utc') }
}

import { useEffect, useState, useSyncExternalStore } from 'react'
import { createListeners } from './listeners.ts'

let places: readonly symbol[] = []
const { tell, subscribe } = createListeners()

/**
 * True in the component that lies in the modal dialog opened last, or else in the page.
 * @param isModal whether it lies in a modal dialog; the page may be drawn after it
 */
export function useIsOnTop(isModal: boolean): boolean {
  const [place] = useState(() => Symbol('place'))
  useEffect(() => {
    set(isModal ? [...places, place] : [place, ...places])
    return () => { set(places.filter(other => other !== place)) }
  }, [place, isModal])
  return useSyncExternalStore(subscribe, () => places.at(-1) === place)
}

function set(next: readonly symbol[]): void {
  places = next
  tell()
}

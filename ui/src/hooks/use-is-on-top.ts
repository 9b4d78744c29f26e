import { useEffect, useState, useSyncExternalStore } from 'react'
import { createListeners } from './listeners.ts'

let places: readonly symbol[] = []
const { tell, subscribe } = createListeners()

/**
 * True for the component in the modal dialog that was opened last. Without a modal dialog, true for the component in the page.
 * @param isModal whether the component is in a modal dialog. The page may be drawn after the dialog.
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

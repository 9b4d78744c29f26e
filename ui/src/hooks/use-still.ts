import { useRef, useState, type PointerEvent } from 'react'

/**
 * A list that does not move while the mouse is over it, so that the reader hits what they aim at. If there is none any more, it goes away.
 * @param about what the list is about, such as its filter and order: another list is shown at once, even under the mouse
 */
export function useStill<T>(value: T | undefined, about = '') {
  const [isHeld, setHeld] = useState(false)
  const shown = useRef({ about, value })
  if (!isHeld || value === undefined || shown.current.value === undefined || shown.current.about !== about) shown.current = { about, value }
  return {
    shown: shown.current.value,
    hold: {
      onPointerEnter: (event: PointerEvent) => { if (event.pointerType === 'mouse') setHeld(true) },
      onPointerLeave: () => setHeld(false)
    }
  }
}

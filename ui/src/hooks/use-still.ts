import { useRef, useState, type PointerEvent } from 'react'

/** A list that does not move while the mouse is over it, so that the reader hits what they aim at. */
export function useStill<T>(value: T | undefined) {
  const [isHeld, setHeld] = useState(false)
  const shown = useRef(value)
  if (!isHeld || shown.current === undefined) shown.current = value
  return {
    shown: shown.current,
    hold: {
      onPointerEnter: (event: PointerEvent) => { if (event.pointerType === 'mouse') setHeld(true) },
      onPointerLeave: () => setHeld(false)
    }
  }
}

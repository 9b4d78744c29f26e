import { useRef, useState, type PointerEvent } from 'react'

/** A list that stands still while the mouse is on it: what was about to be clicked does not move away. */
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

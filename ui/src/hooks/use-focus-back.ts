import { useLayoutEffect, useRef } from 'react'

/**
 * Keeps the keyboard focus when the buttons of a question disappear after one of them is pressed. The focus moves to what replaces them, or
 * to the title of the panel. Call `leave` when a button is pressed, and say whether a request follows: until its response, the replacement
 * is disabled.
 */
export function useFocusBack(isBusy: boolean) {
  const place = useRef<HTMLDivElement>(null)
  const left = useRef<'asked' | 'pending' | 'over' | null>(null)
  useLayoutEffect(() => {
    if (left.current === 'asked' && isBusy) left.current = 'pending'
    else if (left.current === 'pending' && !isBusy) left.current = 'over'
    if (left.current !== 'over' || !place.current) return
    left.current = null
    if (document.activeElement !== document.body && !document.activeElement?.matches(':disabled')) return
    const next = place.current.querySelector<HTMLElement>('button, a') ?? place.current.closest('dialog')?.querySelector<HTMLElement>('h2')
    next?.focus({ preventScroll: true })
  })
  return { place, leave: (isAsked: boolean) => { left.current = isAsked ? 'asked' : 'over' } }
}

import { useLayoutEffect, useRef } from 'react'

/**
 * Keeps the focus of a reader with a question whose buttons go when it is answered: it moves to what comes in their place, or to the title
 * of the panel. `leave` is called when one of them is pressed, with whether a request follows: what comes is disabled until its answer.
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

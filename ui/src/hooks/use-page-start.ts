import { useEffect, useLayoutEffect, useRef } from 'react'

/** Another page begins at its top; going back is left to the browser, which knows where the reader was. */
export function usePageStart(path: string): void {
  const isBack = useRef(false)
  const isFirst = useRef(true)
  useEffect(() => {
    const note = (): void => { isBack.current = true }
    window.addEventListener('popstate', note)
    return () => window.removeEventListener('popstate', note)
  }, [])
  useLayoutEffect(() => {
    if (!isFirst.current && !isBack.current) window.scrollTo(0, 0)
    isFirst.current = false
  }, [path])
  useEffect(() => { isBack.current = false })
}

import { useEffect, useLayoutEffect, useRef } from 'react'

/** Shows a new page from its top. Going back is left to the browser, which restores the reader's position. */
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

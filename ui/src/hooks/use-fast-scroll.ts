import { useEffect, useState } from 'react'

/** Content that crosses the screen in less time cannot be read. */
const UNREADABLE_MS = 100
/** A wheel that turns steadily causes scroll events more often than this. */
const AT_REST_MS = 80

/** Whether the page scrolls so fast that nothing on it can be read. A single jump, as with the End key, does not count. */
export function useFastScroll(): boolean {
  const [isFast, setFast] = useState(false)
  useEffect(() => {
    let [top, at, wasFast] = [window.scrollY, 0, false]
    let timer: ReturnType<typeof setTimeout> | undefined
    const onScroll = ({ timeStamp }: Event): void => {
      const isNow = Math.abs(window.scrollY - top) / (timeStamp - at) > innerHeight / UNREADABLE_MS
      setFast(isNow && wasFast)
      wasFast = isNow
      top = window.scrollY
      at = timeStamp
      clearTimeout(timer)
      timer = setTimeout(() => {
        wasFast = false
        setFast(false)
      }, AT_REST_MS)
    }
    window.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      clearTimeout(timer)
      window.removeEventListener('scroll', onScroll)
    }
  }, [])
  return isFast
}

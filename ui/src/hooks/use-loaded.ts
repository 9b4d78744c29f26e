import { useEffect, useState } from 'react'

const ASKED_AGAIN_AFTER_MS = 5_000

interface Loaded<T> {
  /** Undefined until it is there. */
  readonly part: T | undefined
  /** It could not be loaded, and is asked for again. */
  readonly hasFailed: boolean
}

/** A part of the interface that is loaded after the rest. `lazy()` would throw while drawing when the server is away, and never ask again. */
export function useLoaded<T>(load: () => Promise<T>): Loaded<T> {
  const [state, set] = useState<Loaded<T>>({ part: undefined, hasFailed: false })
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let isGone = false
    const ask = (): void => {
      load().then((part) => { if (!isGone) set({ part, hasFailed: false }) }, () => {
        if (isGone) return
        set({ part: undefined, hasFailed: true })
        timer = setTimeout(ask, ASKED_AGAIN_AFTER_MS)
      })
    }
    ask()
    return () => {
      isGone = true
      clearTimeout(timer)
    }
  }, [load])
  return state
}

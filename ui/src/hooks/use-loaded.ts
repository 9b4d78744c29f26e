import { useEffect, useState } from 'react'

const ASKED_AGAIN_AFTER_MS = 5_000

interface Loaded<T> {
  /** Undefined until it is loaded. */
  readonly part: T | undefined
  /** It could not be loaded, and is retried. */
  readonly hasFailed: boolean
}

type Load<T> = () => Promise<T>

// A part that is already loaded is drawn at once, so that going back shows no empty page first.
const parts = new Map<Load<unknown>, unknown>()

/** Loads a part before it is needed. Always resolves: the code that needs the part handles a failure. */
export async function loadAhead(load: Load<unknown>): Promise<void> {
  await remember(load).catch(() => {})
}

async function remember<T>(load: Load<T>): Promise<T> {
  const part = await load()
  parts.set(load, part)
  return part
}

/**
 * A part of the interface that is loaded after the rest. `lazy()` would throw during rendering while the server is unreachable, and never
 * try again.
 */
export function useLoaded<T>(load: Load<T>): Loaded<T> {
  const [state, set] = useState<{ readonly load: Load<T> | null; readonly hasFailed: boolean }>({ load: null, hasFailed: false })
  useEffect(() => {
    if (parts.has(load)) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let isGone = false
    const ask = (): void => {
      remember(load).then(() => { if (!isGone) set({ load, hasFailed: false }) }, () => {
        if (isGone) return
        set({ load, hasFailed: true })
        timer = setTimeout(ask, ASKED_AGAIN_AFTER_MS)
      })
    }
    ask()
    return () => {
      isGone = true
      clearTimeout(timer)
    }
  }, [load])
  return { part: parts.get(load) as T | undefined, hasFailed: state.load === load && state.hasFailed }
}

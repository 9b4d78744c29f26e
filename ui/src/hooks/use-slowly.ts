import { useEffect, useState } from 'react'

/** The value once it has not changed for a while; until then `first`, which defaults to the value. */
export function useSlowly<T>(value: T, delayMs: number, first: T = value): T {
  const [slow, setSlow] = useState(first)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(value), delayMs)
    return () => clearTimeout(timer)
  }, [value, delayMs])
  return slow
}

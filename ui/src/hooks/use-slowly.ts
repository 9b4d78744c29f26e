import { useEffect, useState } from 'react'

/** The value once it has stood still for a while. */
export function useSlowly<T>(value: T, delayMs: number): T {
  const [slow, setSlow] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(value), delayMs)
    return () => clearTimeout(timer)
  }, [value, delayMs])
  return slow
}

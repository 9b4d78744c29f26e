import { useEffect, useState } from 'react'

/** The value once it has stood still for a while; before that `first`, which is the value itself unless another is given. */
export function useSlowly<T>(value: T, delayMs: number, first: T = value): T {
  const [slow, setSlow] = useState(first)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(value), delayMs)
    return () => clearTimeout(timer)
  }, [value, delayMs])
  return slow
}

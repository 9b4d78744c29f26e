import type { ComponentType, ReactNode } from 'react'
import { useLoaded } from '../../hooks/use-loaded.ts'

interface Props<Given extends object> {
  /** Must be the same function each time, because a new one would load again. */
  readonly load: () => Promise<ComponentType<Given>>
  readonly given: Given
  readonly waiting?: ReactNode
  readonly failed: ReactNode
}

/** A part whose script is loaded when it is needed. */
export function Later<Given extends object>({ load, given, waiting = null, failed }: Props<Given>) {
  const { part: Part, hasFailed } = useLoaded(load)
  if (Part) return <Part {...given} />
  return hasFailed ? failed : waiting
}

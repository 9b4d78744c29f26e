import type { ReactNode } from 'react'

export type State =
  'loading' | 'ready' | 'empty' | 'unknown' | 'error' | 'partial' | 'stale' | 'forbidden' | 'signed out' | 'huge' | 'hostile'

export interface Story {
  readonly state: State
  /** What is special about it. */
  readonly words?: string
  readonly show: () => ReactNode
}

/** By the path of the component below ui/src/components, without its ending. */
export type Stories = Readonly<Record<string, readonly Story[]>>

export const nothing = (): void => {}
export const href = (): string => '/executions'

import type { ReactNode } from 'react'

type State = 'loading' | 'ready' | 'empty' | 'error' | 'partial' | 'stale' | 'forbidden' | 'signed out' | 'huge' | 'hostile'

export interface Story {
  readonly state: State
  /** What is special about it. */
  readonly words?: string
  readonly show: () => ReactNode
}

/** By what they show. */
export type Stories = Readonly<Record<string, readonly Story[]>>

export const nothing = (): void => {}
export const nowhere = (): string => '#'
export const never = (): boolean => false

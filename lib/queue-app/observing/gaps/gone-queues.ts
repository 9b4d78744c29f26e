import { forgetOldest } from '../../../collections/forget-oldest.ts'
import type { Gap } from './gap.ts'

/** The gaps of queues that are not followed any more because their server does not have them any more. */
export interface GoneQueues {
  /** Ignores a queue that was not emptied. */
  note(taskName: string, gaps: readonly Gap[]): void
  forget(taskName: string): void
  all(): ReadonlyArray<readonly [taskName: string, gaps: readonly Gap[]]>
}

const MAX_GONE = 1_000

export function createGoneQueues(): GoneQueues {
  const gone = new Map<string, readonly Gap[]>()
  return {
    note(taskName, gaps) {
      if (gaps.at(-1)?.cause !== 'emptied') return
      gone.delete(taskName)
      gone.set(taskName, gaps)
      forgetOldest(gone, MAX_GONE)
    },
    forget: taskName => { gone.delete(taskName) },
    all: () => [...gone]
  }
}

import { forgetOldest } from '../../../collections/forget-oldest.ts'
import type { Gap } from './gap.ts'

/** The last gap of queues that are not followed any more because their server does not have them any more. */
export interface GoneQueues {
  /** Ignores a queue that was not emptied. */
  note(taskName: string, gaps: readonly Gap[]): void
  forget(taskName: string): void
  all(): ReadonlyArray<readonly [taskName: string, gap: Gap]>
}

const MAX_GONE = 1_000

export function createGoneQueues(): GoneQueues {
  const gone = new Map<string, Gap>()
  return {
    note(taskName, gaps) {
      const last = gaps.at(-1)
      if (last?.cause !== 'emptied') return
      gone.delete(taskName)
      gone.set(taskName, last)
      forgetOldest(gone, MAX_GONE)
    },
    forget: taskName => { gone.delete(taskName) },
    all: () => [...gone]
  }
}

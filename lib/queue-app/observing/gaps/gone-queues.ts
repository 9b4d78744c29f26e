import { forgetOldest } from '../../../collections/forget-oldest.ts'
import type { SeenQueue } from '../../../engine/observing/discovery.ts'
import type { ObservedServer } from '../../../engine/observing/observed-server.ts'
import { compareWithStream, type StreamPosition } from '../streams/stream-positions.ts'
import { clockOf } from './check-streams.ts'
import type { Gap } from './gap.ts'
import { withSchedules, type SchedulesOf } from './schedules-lost.ts'
import { reportGaps } from './tell-gaps.ts'

/** The gaps of queues that are not followed any more because their server does not have them any more. */
export interface GoneQueues {
  /**
   * Reports what was lost with queues that their server does not have any more.
   * @param known where they were read last
   * @returns their positions from now on
   */
  tell(server: ObservedServer, known: ReadonlyMap<SeenQueue, StreamPosition>): Promise<Map<SeenQueue, StreamPosition>>
  forget(taskName: string): void
  /** `aheadMs`: of the server's clock, which dates the gaps. */
  all(): ReadonlyArray<readonly [taskName: string, gaps: readonly Gap[], aheadMs: number]>
}

const MAX_GONE = 1_000

export function createGoneQueues(
  { schedulesOf, onError }: { readonly schedulesOf?: SchedulesOf | undefined; readonly onError: (error: Error) => void }
): GoneQueues {
  const gone = new Map<string, { readonly gaps: readonly Gap[]; readonly aheadMs: number }>()

  /** Ignores a queue that was not emptied. */
  function note(taskName: string, gaps: readonly Gap[], aheadMs: number): void {
    if (gaps.at(-1)?.cause !== 'emptied') return
    gone.delete(taskName)
    gone.set(taskName, { gaps, aheadMs })
    forgetOldest(gone, MAX_GONE)
  }

  return {
    async tell(server, known) {
      const { at, aheadMs } = await clockOf(server).catch(() => ({ at: Date.now(), aheadMs: 0 }))
      const positions = await withSchedules(new Map([...known].map(([queue, before]) =>
        [queue, { before, position: compareWithStream(before, null, at) }])), schedulesOf)
      reportGaps(server, known, positions, onError)
      for (const [{ taskName }, { gaps }] of positions) note(taskName, gaps, aheadMs)
      return positions
    },
    forget: taskName => { gone.delete(taskName) },
    all: () => [...gone].map(([taskName, { gaps, aheadMs }]) => [taskName, gaps, aheadMs] as const)
  }
}

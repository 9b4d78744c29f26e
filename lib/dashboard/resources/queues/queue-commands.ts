import type { Queue, QueueLimitsInput, QueuePauseInput } from '../../../../schemas/queue.ts'
import type { Operations } from '../../../queue-app/operations/operations.ts'
import { instantFrom } from '../instant.ts'
import type { Write } from '../writing.ts'
import { toQueue } from './to-queue.ts'

export type QueueCommands = ReturnType<typeof createQueueCommands>

export function createQueueCommands(operations: Operations, write: Write) {
  return {
    /** Rejects as `Operations.pauseQueue`. */
    async pause(name: string, { reason, until }: QueuePauseInput, by: string | null): Promise<Queue> {
      const ends = until === undefined || until === null ? null : instantFrom(until, 'until')
      return toQueue(await write(() => operations.pauseQueue(name, { by, until: ends, ...reason !== undefined && { reason } })))
    },

    /** Rejects as `Operations.limitQueue`. */
    async limit(name: string, { concurrency, rate, reason }: QueueLimitsInput, by: string | null): Promise<Queue> {
      return toQueue(await write(() => operations.limitQueue(name, {
        by, ...concurrency !== undefined && { concurrency }, ...reason !== undefined && { reason },
        ...rate !== undefined && { rate: rate && { max: rate.max, durationMs: rate.duration_ms } }
      })))
    },

    /** Rejects as `Operations.resumeQueue`. */
    async resume(name: string): Promise<Queue> {
      return toQueue(await write(() => operations.resumeQueue(name)))
    }
  }
}

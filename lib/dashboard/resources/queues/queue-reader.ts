import type { Queue } from '../../../../schemas/queue.ts'
import type { Monitoring } from '../../../queue-app/monitoring/monitoring.ts'
import { answerOf } from '../answer.ts'
import type { Snapshots } from '../snapshots.ts'
import { toQueue } from './to-queue.ts'

export type QueueReader = ReturnType<typeof createQueueReader>

export function createQueueReader(monitoring: Monitoring, snapshots: Snapshots) {
  return {
    list(): Promise<Queue[]> {
      return snapshots.read('queues', async () => (await answerOf(monitoring, () => monitoring.queues())).map(toQueue))
    },

    /** As it is now, for the audit log; null if there is none. */
    async standing(name: string): Promise<Queue | null> {
      const queue = await monitoring.queue(name)
      return queue && toQueue(queue)
    }
  }
}

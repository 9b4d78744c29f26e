import type { Queue } from 'bullmq'
import type { Store } from '../../stores/store.ts'
import { inQueueSchema } from '../connection/qualify-names.ts'

/** Removes a run of a scheduler that is gone, unless a worker has taken it. */
export async function removeDueRun(store: Store, queue: Queue, executionId: string): Promise<void> {
  if (store.kind !== 'redis') {
    // BullMQ's own function refuses to remove a job that a scheduler made, even after the scheduler is gone.
    await store.requestPool.query(inQueueSchema(store, REMOVE_IN_SQL), [queue.name, executionId])
    return
  }
  const state = await queue.getJobState(executionId)
  // A job that a worker is just taking is locked and stays.
  if (state === 'waiting' || state === 'prioritized' || state === 'delayed') await queue.remove(executionId)
}

const REMOVE_IN_SQL = `DELETE FROM {queue}.job WHERE queue = $1 AND id = $2 AND state IN ('waiting', 'delayed')`

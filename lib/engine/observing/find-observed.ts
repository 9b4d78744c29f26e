import { readObservedId } from './observed-id.ts'
import type { ObservedQueue } from './observed-queue.ts'
import type { FoundInQueue } from './observed-server.ts'

export interface FoundObserved extends FoundInQueue {
  readonly queue: ObservedQueue
}

/** The job of an execution, if its queue still has it. For a finished execution, only if the job has not run again since. */
export async function findObserved(
  queueOf: (taskName: string) => ObservedQueue | undefined, executionId: string
): Promise<FoundObserved | null> {
  for (const { taskName, jobId, finishedOn } of readObservedId(executionId)) {
    const queue = queueOf(taskName)
    const found = queue === undefined ? null : await queue.server.jobs.find(queue, jobId)
    if (found !== null && (finishedOn === null || found.job.finishedOn === finishedOn)) return { ...found, queue: queue! }
  }
  return null
}

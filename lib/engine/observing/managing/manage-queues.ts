import { createTaskDashboardError } from '../../../errors.ts'
import { failedCall } from '../../../stores/failures/unavailable.ts'
import type { ChangeClient } from '../../../stores/redis/observing/change-client.ts'
import { budgetsOf, SERVER_PATIENCE_MS } from '../../../time/budgets.ts'
import { withDeadline } from '../../../time/deadline.ts'
import { queueStart, type ObservedQueue } from '../observed-queue.ts'
import { PAUSE_QUEUE, RESUME_QUEUE } from './pause-queue.ts'
import { REMOVE_JOB, type RemoveOutcome } from './remove-job.ts'
import { RETRY_JOB, type RetryOutcome } from './retry-job.ts'

/** Everything that may be sent to the server of an owner to change something. */
export const MANAGING_SCRIPTS: ReadonlySet<string> = new Set([RETRY_JOB, REMOVE_JOB, PAUSE_QUEUE, RESUME_QUEUE])

/**
 * Changes queues of other code: each in one step, and as the owner's version of BullMQ would make it. Rejects with BROKER_UNAVAILABLE,
 * STORE_REFUSED and, if the owner's version is not known, CONFLICT.
 */
export interface ManagedQueues {
  retry(queue: ObservedQueue, jobId: string, failedAt: number): Promise<RetryOutcome>
  remove(queue: ObservedQueue, jobId: string): Promise<RemoveOutcome>
  pause(queue: ObservedQueue): Promise<void>
  resume(queue: ObservedQueue): Promise<void>
}

export function createManagedQueues(clientOf: (queue: ObservedQueue) => ChangeClient): ManagedQueues {
  const { callMs } = budgetsOf(SERVER_PATIENCE_MS)

  async function run<Outcome extends string>(
    queue: ObservedQueue, script: string, ...parameters: ReadonlyArray<string | number>
  ): Promise<Outcome> {
    let outcome: Outcome | 'other_version'
    try {
      outcome = await withDeadline(
        clientOf(queue).run<Outcome>(script, [queueStart(queue)], ...parameters), callMs, 'The broker did not answer'
      )
    } catch (error) {
      throw failedCall(error, 'broker')
    }
    if (outcome !== 'other_version') return outcome
    throw createTaskDashboardError('CONFLICT', [
      `The queue "${queue.taskName}" was last opened by a version of BullMQ that is neither 5 nor 6, or unknown: use the code that owns it`
    ])
  }

  return {
    retry: (queue, jobId, failedAt) => run<RetryOutcome>(queue, RETRY_JOB, jobId, failedAt),
    remove: (queue, jobId) => run<RemoveOutcome>(queue, REMOVE_JOB, jobId),
    pause: async queue => { await run(queue, PAUSE_QUEUE) },
    resume: async queue => { await run(queue, RESUME_QUEUE) }
  }
}

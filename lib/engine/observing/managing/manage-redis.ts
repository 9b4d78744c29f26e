import { createTaskDashboardError } from '../../../errors.ts'
import { failedCall } from '../../../stores/failures/unavailable.ts'
import { absentKey } from '../../../stores/redis/absent-key.ts'
import type { ChangeClient } from '../../../stores/redis/observing/change-client.ts'
import { budgetsOf, SERVER_PATIENCE_MS } from '../../../time/budgets.ts'
import { withDeadline } from '../../../time/deadline.ts'
import type { ObservedQueue } from '../observed-queue.ts'
import { queueStart } from '../redis/redis-queue.ts'
import { ADD_JOB } from './add-job.ts'
import { CHANGE_PRIORITY, type PriorityOutcome } from './change-priority.ts'
import { jobOptionsOf, otherVersion, type ManagedQueues } from './manage-queues.ts'
import { PAUSE_QUEUE, RESUME_QUEUE } from './pause-queue.ts'
import { PLAN_SCHEDULER, RUN_SCHEDULER, type PlanOutcome, type RunOutcome } from './plan-scheduler.ts'
import { REMOVE_JOB, type RemoveOutcome } from './remove-job.ts'
import { RETRY_JOB, type RetryOutcome } from './retry-job.ts'

/** All scripts that may be sent to an owner's server to change something. */
export const MANAGING_SCRIPTS: ReadonlySet<string> = new Set([
  RETRY_JOB, REMOVE_JOB, ADD_JOB, CHANGE_PRIORITY, PAUSE_QUEUE, RESUME_QUEUE, PLAN_SCHEDULER, RUN_SCHEDULER
])

/**
 * Changes queues on Redis with scripts.
 * @param versionsOf see `ObservedServer.versionsOf`
 */
export function createManagedRedis(
  clientOf: (queue: ObservedQueue) => ChangeClient, versionsOf: (queue: ObservedQueue) => string = () => ''
): ManagedQueues {
  const { callMs } = budgetsOf(SERVER_PATIENCE_MS)

  async function run<Outcome extends string>(
    queue: ObservedQueue, script: string, ...parameters: ReadonlyArray<string | number>
  ): Promise<Outcome> {
    let outcome: Outcome | 'other_version' | 'mixed_pause' | 'mixed_delay'
    try {
      const start = queueStart(queue)
      outcome = await withDeadline(
        clientOf(queue).run<Outcome>(script, [start, absentKey(start)], ...parameters, versionsOf(queue)), callMs,
        'The broker did not answer'
      )
    } catch (error) {
      throw failedCall(error, 'broker')
    }
    if (outcome === 'other_version') throw otherVersion(queue)
    const harm = MIXED.get(outcome)
    if (harm !== undefined)
      throw createTaskDashboardError('CONFLICT', [`BullMQ 5 and 6 both used the queue "${queue.taskName}" in the last 24 hours. ${harm}`])
    return outcome
  }

  return {
    retry: (queue, jobId, failedAt) => run<RetryOutcome>(queue, RETRY_JOB, jobId, failedAt),
    remove: (queue, jobId) => run<RemoveOutcome>(queue, REMOVE_JOB, jobId),
    add: async (queue, job) => {
      const { jobId, name, data, now, delayMs, priority } = job
      await run(queue, ADD_JOB, jobId, name, data, jobOptionsOf(job), now, delayMs, priority)
    },
    changePriority: (queue, jobId, priority) => run<PriorityOutcome>(queue, CHANGE_PRIORITY, jobId, priority),
    pause: async queue => { await run(queue, PAUSE_QUEUE) },
    resume: async queue => { await run(queue, RESUME_QUEUE) },
    plan: (queue, schedulerId, { plannedAt, to, now, opts, data, fields = {} }) => run<PlanOutcome>(
      queue, PLAN_SCHEDULER, schedulerId, plannedAt, to, now, opts?.known ?? '', opts?.next ?? '', data ?? '',
      ...Object.entries(fields).flatMap(([name, value]) => [name, value ?? ''])
    ),
    run: (queue, schedulerId, { jobId, now, knownOpts, opts, priority }) => run<RunOutcome>(
      queue, RUN_SCHEDULER, schedulerId, jobId, now, knownOpts, opts, priority
    )
  }
}

/** Why a change is refused while both versions use a queue. */
const MIXED: ReadonlyMap<string, string> = new Map([
  ['mixed_pause', 'A pause or resume from here could make version 5 discard jobs: move all code of the queue to one version, and until ' +
    'then let only version 6 pause and resume it'],
  ['mixed_delay', 'They could lose a delayed job that has no priority: give it a priority of 1 or more, or move all code of the queue to ' +
    'one version']
])

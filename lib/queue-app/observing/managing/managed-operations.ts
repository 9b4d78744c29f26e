import type { ResultBackend } from '../../../backend/result-backend.ts'
import type { Engine } from '../../../engine/engine.ts'
import type { ManagedQueues } from '../../../engine/observing/managing/manage-queues.ts'
import type { RemoveOutcome } from '../../../engine/observing/managing/remove-job.ts'
import { queueTaskOf } from '../../../engine/observing/job-task.ts'
import { finishedIdOf, liveIdOf, readObservedId } from '../../../engine/observing/observed-id.ts'
import type { ObservedQueue } from '../../../engine/observing/observed-queue.ts'
import { createTaskDashboardError, isTaskDashboardError } from '../../../errors.ts'
import type { Execution, ExecutionCancellation, ExecutionDetail, FinishedExecution } from '../../../execution.ts'
import { confirmed, isStoreFailure, unreadAfterChange } from '../../../stores/failures/unavailable.ts'
import { EFFECT_WITHIN_MS, FORGET_WITHIN_MS } from '../../../time/budgets.ts'
import { withDeadline } from '../../../time/deadline.ts'
import { checkReason } from '../../operations/action-reason.ts'
import { isSettled } from '../../operations/cancel-execution.ts'
import { findExecution, type ExecutionLookup } from '../../operations/find-execution.ts'
import type { Operations } from '../../operations/operations.ts'
import { checkChanges } from '../../operations/update-execution.ts'
import { refuseArguments, refuseDueTime, refuseEnd } from './refused-fields.ts'

interface Dependencies {
  readonly managed: ManagedQueues
  /** Reads executions without redaction. */
  readonly engine: Pick<Engine, 'find'>
  readonly backend: Pick<ResultBackend, 'record'>
  queueOf(taskName: string): ObservedQueue | undefined
  /** Redacts an execution for the history. */
  recorded(execution: FinishedExecution): FinishedExecution
}

export type ManagedExecutions = Pick<Operations, 'retryExecution' | 'cancelExecution' | 'updateExecution'>

/** Pauses and resumes existing queues. */
export function withPauses({ pauseQueue, resumeQueue }: Operations): Pick<Operations, 'pauseQueue' | 'resumeQueue'> {
  return {
    resumeQueue,
    async pauseQueue(name, pause = {}) {
      if ((pause.until ?? null) !== null) refuseEnd()
      return await pauseQueue(name, pause)
    }
  }
}

/**
 * Retries and cancels jobs that existing queues still hold, and changes their priority. A retry is BullMQ's own: the same job
 * runs again, and each of its finishes is an execution of its own.
 */
export function createManagedExecutions({ managed, engine, backend, queueOf, recorded }: Dependencies) {
  return (lookup: ExecutionLookup): ManagedExecutions => ({
    async retryExecution(executionId, { args } = {}) {
      if (args !== undefined) refuseArguments()
      const original = await findExecution(lookup, executionId)
      if (original.status !== 'failed') throw createTaskDashboardError('NOT_RETRYABLE', [original.state])
      const { taskName, finishedAt } = original
      const { queue, jobId } = placeOf(original)
      const outcome = await confirmed(() => managed.retry(queue, jobId, finishedAt!))
      const retryId = liveIdOf(queue.taskName, jobId)
      if (outcome === 'retried') return { executionId: retryId, taskName, args: null }
      if (outcome === 'moved') throw createTaskDashboardError('ALREADY_RETRIED', [retryId], { executionId: retryId })
      if (outcome === 'gone')
        throw createTaskDashboardError('CONFLICT', ['The queue has removed this job, so only the code that added it can add it again'])
      throw createTaskDashboardError('NOT_RETRYABLE', [UNSAFE[outcome]])
    },

    async cancelExecution(executionId, { reason, by = null } = {}) {
      const cancellation: ExecutionCancellation = { requestedAt: Date.now(), requestedBy: by, reason: checkReason(reason) }
      const begunAt = performance.now()
      const before = await findExecution(lookup, executionId)
      if (isSettled(before)) return before
      const { queue, jobId } = placeOf(before)
      // After the removal, nothing is left to read.
      const whole = await engine.find([queue.taskName], executionId)
      const outcome = await removalOf(queue, jobId, begunAt)
      const known = whole === null ? before : { ...whole, taskName: before.taskName }
      if (outcome === 'removed') return await record(known, queue, jobId, cancellation)
      if (outcome === 'over') {
        const after = await findExecution(lookup, executionId)
        if (isSettled(after)) return after
        throw createTaskDashboardError('UNCONFIRMED')
      }
      throw createTaskDashboardError('NOT_CANCELLABLE', [UNSAFE[outcome]])
    },

    async updateExecution(executionId, changes) {
      checkChanges(changes)
      const { priority, dueAt } = changes
      if (dueAt !== undefined) refuseDueTime()
      const before = await findExecution(lookup, executionId)
      if (before.finishedAt !== null) throw createTaskDashboardError('NOT_CHANGEABLE', [before.state])
      if (priority === undefined) return before
      const { queue, jobId } = placeOf(before)
      const outcome = await confirmed(() => managed.changePriority(queue, jobId, priority))
      if (outcome !== 'changed' && outcome !== 'over')
        throw createTaskDashboardError('NOT_CHANGEABLE', [outcome === 'planned' ? PLANNED : UNSAFE[outcome]])
      const after = await findExecution(lookup, executionId).catch((error: unknown) => {
        if (outcome === 'changed' && isStoreFailure(error)) unreadAfterChange(error)
        throw error
      })
      // It finished in the meantime.
      if (outcome === 'over') throw createTaskDashboardError('NOT_CHANGEABLE', [after.state])
      return after
    }
  })

  function placeOf({ executionId, taskName, finishedAt }: Execution): { queue: ObservedQueue; jobId: string } {
    const queue = queueOf(queueTaskOf(taskName))
    if (queue === undefined) throw createTaskDashboardError('CONFLICT', [`The queue of the task "${taskName}" is gone`])
    const place = readObservedId(executionId).find(each => each.taskName === queue.taskName && each.finishedOn === finishedAt)
    if (place === undefined) throw createTaskDashboardError('CONFLICT', ['The job of this execution is not known any more'])
    return { queue, jobId: place.jobId }
  }

  /**
   * Removes a job. If the response is lost, the queue's events tell whether the job was removed.
   * @param begunAt a time of `performance.now()` before the job was seen to wait
   */
  async function removalOf(queue: ObservedQueue, jobId: string, begunAt: number): Promise<RemoveOutcome> {
    try {
      return await confirmed(() => managed.remove(queue, jobId))
    } catch (error) {
      if (!isTaskDashboardError(error) || error.code !== 'UNCONFIRMED') throw error
      const { now, events } = queue.server
      const look = now().then(at => events.wasRemoved(queue, jobId, at - (performance.now() - begunAt)))
      if (await withDeadline(look, EFFECT_WITHIN_MS, 'not known').catch(() => false)) return 'removed'
      throw error
    }
  }

  /**
   * The job is removed, whatever the result backend does. If the backend does not respond, only the audit log tells what became of the job.
   */
  async function record(
    known: ExecutionDetail, queue: ObservedQueue, jobId: string, cancellation: ExecutionCancellation
  ): Promise<Execution> {
    const finishedAt = Date.now()
    const cancelled: FinishedExecution = {
      ...known, executionId: finishedIdOf(queue.taskName, jobId, finishedAt), status: 'cancelled', state: 'cancelled', finishedAt,
      durationMs: null, error: null, cancellation
    }
    await withDeadline(backend.record([recorded(cancelled)]), FORGET_WITHIN_MS, 'not recorded').catch(() => {})
    return cancelled
  }
}

const PLANNED = 'the next run of a job scheduler, whose options have its priority'
const UNSAFE = {
  in_flow: 'part of a BullMQ flow',
  in_group: 'in a group of BullMQ Pro',
  running: 'active, and a running job of an existing queue cannot be stopped',
  planned: 'the next run of a job scheduler, which would end without it'
} as const

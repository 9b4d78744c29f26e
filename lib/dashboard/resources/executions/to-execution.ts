import type { Execution as WireExecution, ExecutionDetail as WireExecutionDetail } from '../../../../schemas/execution.ts'
import { MAX_LIST_ERROR_MESSAGE_LENGTH } from '../../../../schemas/execution.ts'
import { plannedTimeOf, type Execution, type ExecutionDetail } from '../../../execution.ts'
import { toTimestamp, toTimestampOrNull, cut } from '../wire-values.ts'
import { timelineOf } from './timeline.ts'

/** @param retry the retry that is known, if there is one */
export function toExecution(execution: Execution, retry?: Execution): WireExecution {
  const { error } = execution
  return {
    ...executionFields(execution),
    error: error && { type: error.type, message: cut(error.message, MAX_LIST_ERROR_MESSAGE_LENGTH) },
    ...retry && { retry: { execution_id: retry.executionId, status: retry.status } }
  }
}

export function toExecutionDetail(execution: ExecutionDetail, retries: readonly Execution[]): WireExecutionDetail {
  const { error, args, cancellation } = execution
  return {
    ...executionFields(execution),
    error: error && { type: error.type, message: error.message, stack: error.stack },
    args: args && [...args],
    cancellation: cancellation === undefined ? null : {
      requested_at: toTimestamp(cancellation.requestedAt), requested_by: cancellation.requestedBy, reason: cancellation.reason
    },
    result: execution.result ?? null,
    result_problem: execution.resultProblem ?? null,
    attempts: execution.attempts.map(attempt => ({
      attempt: attempt.attempt,
      started_at: toTimestampOrNull(attempt.startedAt),
      finished_at: toTimestampOrNull(attempt.finishedAt),
      worker_id: attempt.workerId,
      error: attempt.error && { type: attempt.error.type, message: attempt.error.message, stack: attempt.error.stack }
    })),
    logs: [...execution.logs],
    timeline: timelineOf(execution).map(({ at, event, attempt }) => ({ at: toTimestamp(at), event, attempt })),
    truncated: [...execution.truncated],
    job_name: execution.jobName ?? null,
    missing: [...execution.missing ?? []],
    retried_by: retries.map(({ executionId, status, finishedAt }) => ({
      execution_id: executionId, status, finished_at: toTimestampOrNull(finishedAt)
    }))
  }
}

/** When its handler was asked to stop, if it has not ended since. */
export function cancellingSince({ finishedAt, cancellation }: Execution): number | null {
  return finishedAt === null ? cancellation?.requestedAt ?? null : null
}

function executionFields(execution: Execution) {
  return {
    execution_id: execution.executionId,
    task_name: execution.taskName,
    queue: execution.queue,
    status: execution.status,
    state: execution.state,
    attempt: execution.attempt,
    max_attempts: execution.maxAttempts,
    priority: execution.priority,
    schedule_id: execution.scheduleId,
    retry_of: execution.retryOf,
    worker_id: execution.workerId,
    submitted_at: toTimestamp(execution.submittedAt),
    planned_at: toTimestampOrNull(execution.scheduleId === null ? null : plannedTimeOf(execution.executionId)),
    started_at: toTimestampOrNull(execution.startedAt),
    finished_at: toTimestampOrNull(execution.finishedAt),
    next_attempt_at: toTimestampOrNull(execution.nextAttemptAt ?? null),
    cancelling_since: toTimestampOrNull(cancellingSince(execution)),
    wait_ms: execution.waitMs,
    duration_ms: execution.durationMs,
    progress: execution.progress ?? null,
    error_group: execution.errorGroup
  }
}

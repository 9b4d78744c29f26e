import type { BulkFilter as WireFilter, BulkItem as WireItem, BulkOperation } from '../../../../schemas/bulk.ts'
import type { BulkConditions, BulkDetail, BulkItem, BulkOverview } from '../../../queue-app/bulk/bulk.ts'
import { instantFrom } from '../instant.ts'
import { toTimestamp, toTimestampOrNull } from '../wire-values.ts'

/** Throws INVALID_INPUT. */
export function filterFrom(filter: WireFilter): BulkConditions {
  return {
    ...filter.status !== undefined && { status: filter.status },
    ...filter.task_name !== undefined && { taskName: filter.task_name },
    ...filter.schedule_id !== undefined && { scheduleId: filter.schedule_id },
    ...filter.worker_id !== undefined && { workerId: filter.worker_id },
    ...filter.error_group !== undefined && { errorGroup: filter.error_group },
    ...filter.min_duration_ms !== undefined && { minDurationMs: filter.min_duration_ms },
    ...filter.search !== undefined && { search: filter.search },
    ...filter.from !== undefined && { from: instantFrom(filter.from, 'filter/from') },
    ...filter.to !== undefined && { to: instantFrom(filter.to, 'filter/to') },
    ...filter.execution_ids !== undefined && { executionIds: filter.execution_ids }
  }
}

function toWireFilter(filter: BulkConditions): WireFilter {
  return {
    ...filter.status !== undefined && { status: filter.status },
    ...filter.taskName !== undefined && { task_name: filter.taskName },
    ...filter.scheduleId !== undefined && { schedule_id: filter.scheduleId },
    ...filter.workerId !== undefined && { worker_id: filter.workerId },
    ...filter.errorGroup !== undefined && { error_group: filter.errorGroup },
    ...filter.minDurationMs !== undefined && { min_duration_ms: filter.minDurationMs },
    ...filter.search !== undefined && { search: filter.search },
    ...filter.from !== undefined && { from: toTimestamp(filter.from) },
    ...filter.to !== undefined && { to: toTimestamp(filter.to) },
    ...filter.executionIds !== undefined && { execution_ids: [...filter.executionIds] }
  }
}

/** An operation in a list has no `executionsLeftOut`. */
export function toBulkOperation(bulk: BulkOverview & Partial<Pick<BulkDetail, 'executionsLeftOut'>>): BulkOperation {
  const { progress } = bulk
  return {
    operation_id: bulk.operationId,
    action: bulk.action,
    state: bulk.state,
    waiting_for: bulk.waitingFor,
    problem: bulk.problem,
    filter: bulk.filter && toWireFilter(bulk.filter),
    execution_count: bulk.executionCount,
    executions_checked: bulk.areExecutionsChecked,
    executions_left_out: bulk.executionsLeftOut ?? null,
    before: toTimestamp(bulk.before),
    task_count: bulk.taskCount,
    tasks_left_out: bulk.tasksLeftOut,
    count: { value: bulk.count.value, relation: bulk.count.relation },
    progress: progress && { items: progress.done + progress.skipped + progress.failed + progress.undone, ...progress },
    rate: bulk.rate,
    reason: bulk.reason,
    created_at: toTimestamp(bulk.createdAt),
    created_by: bulk.createdBy,
    changed_at: toTimestampOrNull(bulk.changedAt),
    changed_by: bulk.changedBy,
    finished_at: toTimestampOrNull(bulk.finishedAt),
    expires_at: toTimestamp(bulk.expiresAt),
    undoable: bulk.isUndoable,
    capped: bulk.isCapped
  }
}

export function toBulkItem({ taskName, executionId, errorGroup, outcome, code, madeExecutionId }: BulkItem): WireItem {
  return {
    task_name: taskName, execution_id: executionId, error_group: errorGroup, outcome, code, made_execution_id: madeExecutionId
  }
}

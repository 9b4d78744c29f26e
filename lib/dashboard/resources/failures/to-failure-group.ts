import { MAX_LIST_ERROR_MESSAGE_LENGTH } from '../../../../schemas/execution.ts'
import type { FailureGroup } from '../../../../schemas/failure.ts'
import type { FailureGroupsPage } from '../../../queue-app/monitoring/monitoring.ts'
import { toTimestamp, cut } from '../wire-values.ts'

export function toFailureGroup(group: FailureGroupsPage['groups'][number]): FailureGroup {
  return {
    error_group: group.errorGroup,
    type: group.type,
    message: cut(group.message, MAX_LIST_ERROR_MESSAGE_LENGTH),
    frame: group.frame,
    count: group.count,
    first_seen_at: toTimestamp(group.firstSeenAt),
    last_seen_at: toTimestamp(group.lastSeenAt),
    is_new: group.isNew,
    tasks: group.tasks.map(({ taskName, count }) => ({ name: taskName, count })),
    last_execution_id: group.lastExecutionId,
    trend: [...group.trend],
    state: group.state,
    decision: group.decision && {
      action: group.decision.isResolved ? 'resolve' : 'reopen',
      at: toTimestamp(group.decision.at),
      by: group.decision.by,
      note: group.decision.note,
      automatic: group.decision.isAutomatic
    },
    decidable: !group.isShared
  }
}

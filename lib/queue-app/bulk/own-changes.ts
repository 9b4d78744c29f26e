import type { FailureDecision, FailureGroup } from '../../backend/result-backend.ts'
import type { ExecutionCancellation } from '../../execution.ts'
import type { BulkOrder } from './bulk-order.ts'

interface Ordered { readonly operationId: string; readonly order: BulkOrder }

/** The request to cancel. Its time identifies the operation, because an execution keeps the first request. */
export function cancellationOf({ order: { createdAt, by, reason } }: Pick<Ordered, 'order'>): ExecutionCancellation {
  return { requestedAt: createdAt, requestedBy: by, reason }
}

/** Whether the operation resolved the group, and no one has decided about it since. */
export function isResolvedBy(acting: Ordered, group: FailureGroup | undefined): boolean {
  const decision = group?.decision ?? null
  const { by, reason, createdAt } = acting.order
  return decision !== null && decision.isResolved && isOf(acting, decision, () =>
    !decision.isAutomatic && decision.by === by && decision.note === reason && decision.at >= createdAt)
}

/** Whether the operation's undo reopened the group, and no one has decided about it since. */
export function isReopenedBy(acting: Ordered, { decision }: FailureGroup): boolean {
  const { changedBy, changedAt } = acting.order
  return decision !== null && !decision.isResolved &&
    isOf(acting, decision, () => decision.by === changedBy && changedAt !== null && decision.at >= changedAt)
}

/** @param seemsSo the only evidence if an older version decided. A person may have decided the same */
function isOf({ operationId }: Ordered, decision: FailureDecision, seemsSo: () => boolean): boolean {
  return decision.operationId === undefined ? seemsSo() : decision.operationId === operationId
}

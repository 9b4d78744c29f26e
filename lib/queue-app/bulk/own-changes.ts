import type { FailureGroup } from '../../backend/result-backend.ts'
import type { ExecutionCancellation } from '../../execution.ts'
import type { BulkOrder } from './bulk-order.ts'

interface Ordered { readonly order: BulkOrder }

/** Its time identifies the operation, because an execution keeps the first request to cancel it. */
export function cancellationOf({ order: { createdAt, by, reason } }: Ordered): ExecutionCancellation {
  return { requestedAt: createdAt, requestedBy: by, reason }
}

/** Whether the operation resolved the group, and nobody has decided about it since. */
export function isResolvedBy({ order: { by, reason, createdAt } }: Ordered, group: FailureGroup | undefined): boolean {
  const decision = group?.decision ?? null
  return decision !== null && decision.isResolved && !decision.isAutomatic && decision.by === by && decision.note === reason &&
    decision.at >= createdAt
}

/** Whether the operation's undo reopened the group, and nobody has decided about it since. */
export function isReopenedBy({ order: { changedBy, changedAt } }: Ordered, { decision }: FailureGroup): boolean {
  return decision !== null && !decision.isResolved && decision.by === changedBy && changedAt !== null && decision.at >= changedAt
}

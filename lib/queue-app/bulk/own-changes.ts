import type { FailureGroup } from '../../backend/result-backend.ts'
import type { ExecutionCancellation } from '../../execution.ts'
import type { BulkOrder } from './bulk-order.ts'

interface Ordered { readonly order: BulkOrder }

/** The time tells which operation it was: the first request to cancel an execution stays. */
export function cancellationOf({ order: { createdAt, by, reason } }: Ordered): ExecutionCancellation {
  return { requestedAt: createdAt, requestedBy: by, reason }
}

/** Whether an operation decided this about a failure group. */
export function isOwnDecision({ order }: Ordered, decision: { readonly at: number; readonly by: string | null } | null): boolean {
  return decision !== null && decision.by === order.by && decision.at >= order.createdAt
}

export function isResolvedBy(ordered: Ordered, group: FailureGroup | undefined): boolean {
  return group !== undefined && group.decision?.isResolved === true && isOwnDecision(ordered, group.decision)
}

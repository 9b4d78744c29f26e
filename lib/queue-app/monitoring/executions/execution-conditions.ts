import type { ExecutionStatus } from '../../../../schemas/execution.ts'

/** Which executions a list shows, or a bulk operation touches. All conditions must match; default: all executions. */
export interface ExecutionConditions {
  readonly status?: ExecutionStatus
  readonly taskName?: string
  readonly scheduleId?: string
  /** Only running and finished executions have one. */
  readonly workerId?: string
  readonly errorGroup?: string
  /** Only finished executions; milliseconds, inclusive. */
  readonly minDurationMs?: number
  /** In the search language (docs/search.md), at most 512 characters. Combines with the other filters. */
  readonly search?: string
  /** Compared with the last change (finished, started or submitted). `from` is inclusive, `to` exclusive. */
  readonly from?: number
  readonly to?: number
}

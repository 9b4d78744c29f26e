import type { ExecutionStatus } from '../../../schemas/index.ts'
import type { Range } from './address.ts'

/** Which executions a list shows; null leaves a field open. */
export interface ExecutionFilter {
  readonly status: ExecutionStatus | null
  readonly taskName: string | null
  readonly scheduleId: string | null
  readonly range: Range | null
}

import type { ExecutionOrder } from '../../../../schemas/execution.ts'
import type { CountRelation } from '../../../../schemas/page.ts'
import type { Execution } from '../../../execution.ts'
import type { ExecutionConditions } from './execution-conditions.ts'

export interface ExecutionQuery extends ExecutionConditions {
  /** Default `newest`. */
  readonly order?: ExecutionOrder
  /** 1 to 200, default 50. */
  readonly limit?: number
  /** `nextCursor` of the previous page. Rejects with INVALID_CURSOR. */
  readonly cursor?: string
  /** While one store is unavailable, resolves to what the other one has instead of rejecting. Default false. */
  readonly partial?: boolean
}

export interface ExecutionPage {
  readonly executions: Execution[]
  /** The known retries of failed executions, by the id of the original. Absent if they were not looked up. */
  readonly retries?: ReadonlyMap<string, Execution>
  readonly nextCursor: string | null
  readonly total: { readonly value: number; readonly relation: CountRelation }
  /** Executions scanned for this page; null if only indexes were used. */
  readonly scanned: number | null
  /** False if the scan reached its limit before the page was full: continue with `nextCursor`. */
  readonly complete: boolean
  /** Which executions could not be read. They are missing on this page and on those that follow it. Only with `partial`. */
  readonly missing?: 'inFlight' | 'finished'
}

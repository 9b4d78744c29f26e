import type { ExecutionStatus, ExecutionOrder } from '../../../schemas/execution.ts'
import type { Execution } from '../../execution.ts'

export interface InFlightQuery {
  readonly taskNames: readonly string[]
  /** Default: both. */
  readonly status?: Extract<ExecutionStatus, 'pending' | 'running'>
  readonly scheduleId?: string
  /** Milliseconds since the epoch, by submission (pending) or start (running). `from` is inclusive, `to` is exclusive. */
  readonly from?: number
  readonly to?: number
  /**
   * Called for each execution that passes the other filters, with its arguments: null if they are not ours or not needed, undefined if they
   * are larger than 256 KiB. Counts toward the page's limit of 1,000.
   */
  isWanted?(execution: Execution, args: readonly unknown[] | null | undefined): boolean
  /** Whether `isWanted` needs this execution's arguments, at most 8 MiB per page. Default: always. */
  needsArgs?(execution: Execution): boolean
  /** By submission (pending) or start (running). */
  readonly order: ExecutionOrder
  readonly limit: number
  /** `next` of the previous page. */
  readonly cursor?: string
}

export interface InFlightPage {
  /** In the order they were read; the caller sorts them for display. */
  readonly executions: Execution[]
  /** null on the last page. */
  readonly next: string | null
  /** The cursor after the first `count` of them. */
  after(count: number): string
  /** How many executions with the requested status the queues held when the page was read, ignoring other filters. */
  readonly held: number
  /** How many executions were checked for this page. */
  readonly scanned: number
  /** How many of these did not match, but have arguments that are too large to check. */
  readonly skipped: number
  /** Why executions are missing: the broker of some tasks is unavailable. Executions of other tasks are there. */
  readonly lost?: Error
}

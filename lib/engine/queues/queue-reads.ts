import type { ExecutionOrder } from '../../../schemas/execution.ts'
import type { InFlightCounts } from '../engine.ts'
import type { Execution } from '../../execution.ts'
import type { JobFields } from '../jobs/job-fields.ts'
import type { QueueSelection } from './queue-selection.ts'

/** Reads across many queues. Each call takes one round trip, for any number of queues. */
export interface QueueReads<Listed extends { readonly id?: string } = JobFields> {
  /** Turns a listed job into an execution. Default: as for the app's own jobs. */
  readonly executionOf?: (job: Listed, state: InFlightState) => Execution
  /** Only for queues that hold something, by name. */
  counts(queues: QueueSelection, now: number): Promise<Map<string, StateCounts>>
  /** Jobs of each requested source, without payloads; each job's fields are read at one moment. Planned runs of schedules are left out. */
  ranges(requests: readonly RangeRequest[], now: number): Promise<Array<JobRange<Listed>>>
  /**
   * Jobs of `ranges` with the fields that only executions on the page need; null for a job that is gone. Absent if `ranges` lists
   * everything. Times and schedules are always listed.
   */
  complete?(jobs: readonly Listed[]): Promise<Array<Listed | null>>
  /** Arguments as they were stored. They never change. */
  args(jobs: readonly JobPlace[], maxBytes: number): Promise<StoredArgs[]>
}

export const PENDING_STATES = ['waiting', 'prioritized', 'delayed', 'waiting-children'] as const
export const RUNNING_STATES = ['active'] as const
export type InFlightState = (typeof PENDING_STATES)[number] | (typeof RUNNING_STATES)[number]

/** How many jobs of a queue are in each state. */
export interface StateCounts {
  readonly waiting: number
  readonly prioritized: number
  readonly delayed: number
  readonly active: number
  /** How many of the delayed ones are planned runs of a schedule that are not due. */
  readonly planned: number
  /** Parents of a flow, which wait for other jobs. Absent: not counted, because the app's own tasks have no flows. */
  readonly waitingChildren?: number
}

/** Jobs are listed in arrival order, delayed jobs by due time, prioritized ones by urgency. */
export interface RangeRequest {
  readonly queueName: string
  readonly state: InFlightState
  readonly order: ExecutionOrder
  /** Jobs to skip, counted from the start of the order. */
  readonly offset: number
  readonly size: number
  /** Skips jobs whose time is before this in the given order; null for none. Milliseconds since the epoch. */
  readonly from: number | null
}

export interface JobRange<Listed = JobFields> {
  readonly jobs: ReadonlyArray<{ readonly job: Listed; /** The offset after it. */ readonly next: number }>
  /** Where to read next. */
  readonly next: number
  readonly isEnd: boolean
}

export interface JobPlace { readonly queueName: string; readonly id: string }

/** `args`: undefined if larger than the limit, null if there are none. */
export interface StoredArgs { readonly args: string | null | undefined; readonly bytes: number }

/** Limits for errors and progress in lists, in characters or bytes; the rest comes with the execution itself. */
export const LISTED = { failedReason: 10_000, stackLine: 500, progressBytes: 65_536, stacktraceBytes: 131_072 } as const

/** Pending and running counts of a queue. Planned runs of a schedule wait for their time, not for a worker, so they count as neither. */
export function inFlightOf({ waiting, prioritized, delayed, active, planned, waitingChildren = 0 }: StateCounts): InFlightCounts {
  return { pending: waiting + prioritized + Math.max(delayed - planned, 0) + waitingChildren, running: active }
}

export const NOTHING_HELD: StateCounts = { waiting: 0, prioritized: 0, delayed: 0, active: 0, planned: 0 }

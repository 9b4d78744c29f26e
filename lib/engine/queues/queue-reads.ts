import type { ExecutionOrder } from '../../../schemas/execution.ts'
import type { InFlightCounts } from '../engine.ts'
import type { JobFields } from '../jobs/job-fields.ts'
import type { QueueSelection } from './queue-selection.ts'

/** What is read of many queues at once. A driver answers each call in one flight, whatever the number of queues. */
export interface QueueReads {
  /** Of the queues that hold something, by their names. */
  counts(queues: QueueSelection, now: number): Promise<Map<string, StateCounts>>
  /**
   * Jobs of each source asked for, without payloads: each is read with its fields at one moment. Runs that a schedule planned are left out.
   */
  ranges(requests: readonly RangeRequest[], now: number): Promise<JobRange[]>
  /** Arguments as they were stored. They never change. */
  args(jobs: readonly JobPlace[], maxBytes: number): Promise<StoredArgs[]>
}

export const PENDING_STATES = ['waiting', 'prioritized', 'delayed'] as const
export const RUNNING_STATES = ['active'] as const
export type InFlightState = (typeof PENDING_STATES)[number] | (typeof RUNNING_STATES)[number]

/** How many jobs of a queue are in each state. */
export interface StateCounts {
  readonly waiting: number
  readonly prioritized: number
  readonly delayed: number
  readonly active: number
  /** Of the delayed ones: runs that a schedule planned and that are not due. */
  readonly planned: number
}

/** Lists come in the order in which their jobs came, delayed jobs in the order in which they become due, prioritised ones by urgency. */
export interface RangeRequest {
  readonly queueName: string
  readonly state: InFlightState
  readonly order: ExecutionOrder
  /** Jobs before it, counted from where the order begins. */
  readonly offset: number
  readonly size: number
  /** Jobs whose time is on the near side of it are passed over; null for none. Milliseconds since the epoch. */
  readonly from: number | null
}

export interface JobRange {
  readonly jobs: ReadonlyArray<{ readonly job: JobFields; /** Offset behind it. */ readonly next: number }>
  /** Offset to read on from. */
  readonly next: number
  readonly isEnd: boolean
}

export interface JobPlace { readonly queueName: string; readonly id: string }

/** `args`: undefined when larger than what was asked for; null when there are none. */
export interface StoredArgs { readonly args: string | null | undefined; readonly bytes: number }

/** Characters that are kept of an error in a list, and of a progress: the rest comes with the execution itself. */
export const LISTED = { failedReason: 10_000, stackLine: 500, progressBytes: 65_536, stacktraceBytes: 4_194_304 } as const

/** Pending and running of a queue. What a schedule planned waits for its instant, not for a worker: it is neither. */
export function inFlightOf({ waiting, prioritized, delayed, active, planned }: StateCounts): InFlightCounts {
  return { pending: waiting + prioritized + Math.max(delayed - planned, 0), running: active }
}

export const NOTHING_HELD: StateCounts = { waiting: 0, prioritized: 0, delayed: 0, active: 0, planned: 0 }

import type { ObservedScheduler } from './observed-scheduler.ts'

/** Reads of the job schedulers of existing queues, and no writes. Each call rejects with the server's error. */
export interface SchedulerReads<Queue> {
  /**
   * Whether each queue has any, in few round trips; an error for each queue that cannot be read. In the order of the queues, which must all
   * be of one server.
   */
  haveAny(queues: readonly Queue[]): Promise<Array<boolean | Error>>
  /** Earliest due first. */
  list(queue: Queue): Promise<FoundSchedulers>
  /** Null if the queue does not have it. */
  find(queue: Queue, id: string): Promise<ObservedScheduler | null>
  /** Options of the job of its next run, as JSON; null if that job is gone, undefined if they are too large to be read. */
  optionsOfNext(queue: Queue, scheduler: ObservedScheduler): Promise<string | null | undefined>
  hasJob(queue: Queue, jobId: string): Promise<boolean>
  /** The clock of the server that has a queue, milliseconds since the epoch. */
  now(queue: Queue): Promise<number>
  /** Equal for queues of one server. */
  serverOf(queue: Queue): string
}

export interface FoundSchedulers {
  readonly schedulers: readonly ObservedScheduler[]
  /** How many more the queue has. */
  readonly left: number
  /** Why the schedulers of this server cannot be read, as a sentence without a full stop. Absent if they can. */
  readonly unknown?: string
}

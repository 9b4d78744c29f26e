import type { FinishedState } from '../finished/finished-sets.ts'
import type { JobRange, RangeRequest, StateCounts } from '../queues/queue-reads.ts'
import type { Standing } from '../standing/standing.ts'
import type { QueueEvent } from './events/job-stories.ts'
import type { ObservedJob, ObservedPayload } from './observed-job.ts'
import type { QueuePlace } from './queue-place.ts'
import type { JobDeduplication, RelatedStatus } from './relations/job-facts.ts'
import type { SchedulerReads } from './schedulers/scheduler-reads.ts'

/**
 * A server of existing queues. It can only be read. Each kind of store in which BullMQ keeps queues has its own implementation.
 * Calls reject with the server's error, with DeadlineError, or with NOT_STARTED and ALREADY_STOPPED.
 */
export interface ObservedServer {
  readonly kind: 'redis' | 'postgres'
  /** The URL without credentials. */
  readonly label: string
  /** Equal for two sources that open the same server and database. Reveals no credentials. */
  readonly identity: string
  /** Identifies this part of a cluster, or this schema of a database; '' for a whole server. */
  readonly part: string
  /** Rejects within 5 s with STORE_UNREACHABLE or STORE_UNSUITABLE. Idempotent. */
  start(): Promise<void>
  /** Idempotent; never rejects. */
  stop(): Promise<void>
  /** The time by the clock of its events, or by that of this process if the server does not tell its time. Milliseconds since the epoch. */
  now(): Promise<number>
  /** One round trip in milliseconds. */
  ping(timeoutMs?: number): Promise<number>
  /**
   * Which process answers; null if the server does not tell. Absent if this kind of server never does. Never rejects.
   * @param at now, by the server's clock
   */
  readonly process?: (at: number) => Promise<ServerProcess | null>
  /** The server's version and eviction policy; null for what it does not tell. */
  describe(): Promise<{ readonly version: string | null; readonly evictionPolicy: string | null }>

  /** Searches for all queues. Rejects with STORE_UNSUITABLE if the user lacks the rights. */
  scan(options: ScanOptions): Promise<FoundQueues>
  /**
   * The part of the server that has a queue, or the server itself if it has no parts. Other parts neither delay a part nor make it fail.
   */
  partFor(queue: Pick<QueuePlace, 'prefix' | 'name'>): ObservedServer
  /** Whether a queue was ever used. */
  exists(queue: QueuePlace): Promise<boolean>
  /**
   * Called with each search for queues. Forgets problems that have passed or that belong to queues that are not shown, and parts without
   * queues. Never rejects.
   * @param shownOn the queues of a part that are shown now, which this process may not have read yet. Default: none
   */
  settle(
    isShown: (taskName: string) => boolean, isUsed: (part: ObservedServer) => boolean,
    shownOn?: (part: ObservedServer) => readonly QueuePlace[]
  ): Promise<void>
  /** Why parts of its queues cannot be shown, as sentences without a full stop. */
  problems(): string[]
  /** Whether the user may not read a key of this queue, so that what it holds is unknown. */
  isRefused(taskName: string): boolean
  /** Which queues can lose jobs because several versions of BullMQ own them, as sentences without a full stop. */
  ownersProblems(): string[]
  /**
   * The major versions of BullMQ that opened a queue in the last 24 hours, as far as they were seen: the last three, the oldest first, as
   * in `565`. '' if none was seen, or if versions cannot harm each other on this kind of server.
   */
  versionsOf(queue: Pick<QueuePlace, 'prefix' | 'name'>): string

  readonly queues: QueuesOfServer
  readonly jobs: JobsOfServer
  readonly events: EventsOfServer
  readonly schedulers: Pick<SchedulerReads<QueuePlace>, 'haveAny' | 'list' | 'find' | 'optionsOfNext'>
}

/** The process of a server, or of the node that has its queues. */
export interface ServerProcess {
  /** Each process has another. */
  readonly runId: string
  /** Shared by a primary and its replicas. A replica that becomes the primary begins a new one. */
  readonly replicationId: string
  /** The one before that. */
  readonly replicationIdBefore: string
  /** By the server's clock, give or take a second. */
  readonly startedAt: number
}

export interface FoundQueues {
  /** Names of queues by prefix. */
  readonly byPrefix: ReadonlyMap<string, ReadonlySet<string>>
  /** Queues that were found before and that the user may no longer read, by prefix. */
  readonly refused?: ReadonlyMap<string, ReadonlySet<string>>
  /** Prefixes that could not be searched, and why, as a sentence without a full stop. */
  readonly unread?: ReadonlyMap<string, string>
  /** Whether the search was complete. */
  readonly isAll: boolean
  /** There may be more queues under the shown prefixes than can be shown. */
  readonly isFull?: true
}

export interface ScanOptions {
  /** Queues under these prefixes are shown. Those under other prefixes only serve to suggest which prefix may have been meant. */
  readonly prefixes: readonly string[]
  readonly signal: AbortSignal
  /** Where a search has to look at all keys: how many of them per second, on each node. Default: as many as the server can. */
  readonly keysPerSecond?: number
  /**
   * Called after each step with about how many keys were scanned, with the queues found so far, and with whether the step found one that
   * no search had found before.
   */
  onStep(keys: number, found: () => FoundQueues, isNew: boolean): void
}

/** What queues hold. Reads of many queues return an error in place of each value that the user may not read. */
export interface QueuesOfServer {
  /** In the order of the queues. */
  counts(queues: readonly QueuePlace[], now: number): Promise<ReadonlyArray<StateCounts | Error>>
  /** When the oldest job that could start was due; null if there is none. In the order of the queues. */
  oldestDueAt(queues: readonly CountedQueue[], now: number): Promise<ReadonlyArray<number | null | Error>>
  /** In the order of the queues. */
  settings(queues: readonly QueuePlace[]): Promise<ReadonlyArray<QueueSettings | Error>>
  /** In the order of the requests. Their jobs may lack what `JobsOfServer.complete` reads. */
  ranges(requests: readonly QueueRange[], now: number): Promise<ReadonlyArray<JobRange<ObservedJob> | Error>>
  /** Finished jobs, newest first. */
  finished(queue: QueuePlace, state: FinishedState, start: number, size: number): Promise<FinishedOf[]>
  /** Jobs that finished since `sinceMs`, newest first. */
  newestFinished(queue: QueuePlace, state: FinishedState, sinceMs: number, limit: number): Promise<FinishedOf[]>
}

export interface QueueRange { readonly queue: QueuePlace; readonly request: RangeRequest }

export interface CountedQueue { readonly queue: QueuePlace; readonly counts: StateCounts }

export interface QueueSettings {
  readonly isPaused: boolean
  /** Whether the owner's version of BullMQ is one whose queues can be changed. */
  readonly isKnownVersion: boolean
  readonly concurrency: string | null
  readonly max: string | null
  readonly duration: string | null
}

/** @property finishedOn by the worker's clock */
export interface FinishedOf { readonly jobId: string; readonly finishedOn: number }

/** Single jobs. */
export interface JobsOfServer {
  /** The job with its state in BullMQ's naming, read so that the two are consistent; null if the queue does not have the job. */
  find(queue: QueuePlace, jobId: string): Promise<FoundInQueue | null>
  has(queue: QueuePlace, jobId: string): Promise<boolean>
  /** Listed jobs with the fields whose size only their owner limits; null for those that are gone. In the order of the jobs. */
  complete(jobs: readonly ListedJob[]): Promise<Array<ObservedJob | null>>
  /** Without payloads; null if it is gone. */
  read(queue: QueuePlace, jobId: string): Promise<ObservedJob | null>
  /** Data, result and log. */
  payload(queue: QueuePlace, jobId: string): Promise<ObservedPayload>
  /** Undefined data: larger than `maxBytes`. */
  data(queue: QueuePlace, jobId: string, maxBytes: number): Promise<{ readonly data: string | null | undefined; readonly bytes: number }>
  /**
   * When the last run of each job finished, by its worker's clock; for a job that does not tell, the time at which its queue lists it.
   * Null if the job is gone or has not finished, an error if it cannot be read. In the order of the jobs.
   */
  finishedOn(jobs: ReadonlyArray<{ readonly queue: QueuePlace; readonly jobId: string }>): Promise<Array<number | null | Error>>
  /**
   * The time at which its queue lists a finished job. It may differ from the job's own, because other code may write both. Null if the
   * queue does not list it in this state.
   */
  listedAt(queue: QueuePlace, state: FinishedState, jobId: string): Promise<number | null>
  /** The job's place in its queue and the queue's limits, perhaps read a moment apart. */
  standing(queue: QueuePlace, found: FoundInQueue): Promise<Standing>
  /** Its parent, its children and its deduplication key. Reads no payload. */
  links(queue: QueuePlace, job: ObservedJob): Promise<JobLinks>
  /** In the order of the ids, at most `MAX_CHILDREN_LISTED`; null for those that are gone. */
  briefs(queue: QueuePlace, jobIds: readonly string[]): Promise<Array<JobBrief | null>>
}

/** A job as `QueuesOfServer.ranges` lists it. */
export interface ListedJob { readonly queue: QueuePlace; readonly job: ObservedJob }

export interface JobLinks {
  /** `prefix:queue:id`; null if it has none, or it is too long to read. */
  readonly parentKey: string | null
  /** Failed children come first. Null if they cannot be read. */
  readonly children: { readonly listed: readonly ChildLink[]; readonly total: number } | null
  readonly deduplication: JobDeduplication | null
}

/** `status`: as the parent has recorded it. */
export interface ChildLink { readonly key: string; readonly status: Exclude<RelatedStatus, null> }

export interface JobBrief { readonly name: string; readonly finishedOn: number | null }

export interface FoundInQueue { readonly job: ObservedJob; readonly state: string }

/**
 * How many calls for single queues or jobs run at once. On PostgreSQL they share a few connections, and a call that waits for one too long
 * times out.
 */
export const CALLS_AT_ONCE = 50

/** How many event streams one call reads, and how many events of each. */
export const STREAMS_AT_A_TIME = 100
export const EVENTS_AT_A_TIME = 500

/** Events that queues record about their jobs. */
export interface EventsOfServer {
  /**
   * At most `count` events after a position, for each of at most STREAMS_AT_A_TIME queues, by task. Queues without new events are left out.
   * An event has no size limit. If the events are too large for one response, this rejects, and the caller requests fewer.
   */
  read(wanted: ReadonlyArray<{ readonly queue: QueuePlace; readonly after: string }>, count: number): Promise<Map<string, QueueEvent[]>>
  /**
   * The next event of a queue, with enough time for a large one, and without delaying other reads. DeadlineError after a minute: the event
   * is too large.
   */
  readLarge(queue: QueuePlace, after: string): Promise<QueueEvent[]>
  /**
   * Null if there is no stream.
   * @param after the last event that was read
   */
  stream(queue: QueuePlace, after: string): Promise<StreamState | null>
  /** For each job that ended after a given event: the id of the event of its last end. */
  lastFinishes(queue: QueuePlace, after: string): Promise<Map<string, string>>
  /**
   * Whether the events show that a job was removed since a time by the server's clock. The job must have existed then and not have started.
   */
  wasRemoved(queue: QueuePlace, jobId: string, sinceMs: number): Promise<boolean>
  /** Whether an error means that the server works but refuses to read the events of a queue. */
  isRefusal(error: unknown): boolean
}

/** What the server reports about an event stream. */
export interface StreamState {
  readonly length: number
  /** Null if it is empty. */
  readonly firstId: string | null
  readonly lastId: string
  /** How many entries were ever added; null if the server does not count them. */
  readonly added: number | null
  /** Events after the last one that was read may have been removed, and the server does not count removed events. */
  readonly isCut?: true
  /** The events that were read are gone, although the stream was not full. */
  readonly isEmptied?: true
  /** Other events now have the numbers of events that were read, so all are read again. */
  readonly isRenumbered?: true
  /** About how many events its owner lets the stream keep. Absent if the server does not tell. */
  readonly maxLength?: number
}

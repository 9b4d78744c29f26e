import type { QueuesLook } from '../../engine/observing/discovery.ts'
import type { StoreSource } from '../../stores/source/store-source.ts'

export type { QueuesLook }

/**
 * The part of a BullMQ `Queue` that is read: version 5 or 6 on Redis, 6 on PostgreSQL. Its methods are never called, and its connection or
 * pool is not used.
 */
export interface BullmqQueue {
  readonly name: string
  readonly opts: object
  readonly qualifiedName?: string
}

/** Queues of one server, under one prefix. */
export interface QueuesSource {
  /** The server, as for `QueueApp.fromUrls`. */
  broker: StoreSource
  /** BullMQ's prefix of their keys. Default `bull`. On PostgreSQL the schema, default `bullmq`. */
  prefix?: string
  /** Names of queues, or `all` (default): every queue under the prefix, also those that are added later. */
  queues?: readonly string[] | 'all'
  /**
   * A prefix for the names of its tasks, as in `eu/emails`. Use it for several sources whose queues may have the same name. 1 to 40
   * characters, without `:` and `/`. Default: none.
   */
  label?: string
}

export type QueuesToObserve = QueuesSource | BullmqQueue | ReadonlyArray<QueuesSource | BullmqQueue>

/** How existing queues are observed. */
export interface ObservationOptions {
  /**
   * In a queue whose jobs have several names, each name is shown as a task, as in `mail:invoice`. Default true. With `false`, each queue is
   * one task. Use that if the names of jobs contain anything confidential: they become names of tasks, which are not redacted.
   */
  names?: boolean
  /**
   * Allows these changes: run, retry and cancel jobs, change their priority, pause and resume queues, and change schedules. Each is done as
   * the owner's version of BullMQ does it. The user of the server needs more rights; on Redis, the right to run EVAL. Default false:
   * nothing is written to the observed servers.
   */
  manage?: boolean
  /**
   * Reports the progress of the first scan for queues: about how many keys were scanned, and how many queues were found. Called about once
   * a second while the scan takes longer, as on a server with millions of keys, and when it has ended. `start()` waits at most 3 seconds
   * for the scan.
   */
  onLook?: (look: QueuesLook) => void
}

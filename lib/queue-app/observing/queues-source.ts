import type { QueuesLook } from '../../engine/observing/discovery.ts'
import type { StoreSource } from '../../stores/source/store-source.ts'

export type { QueuesLook }

/** The part of a BullMQ `Queue`, of version 5 or 6, that is looked at. It is never called, and its connection is not used. */
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
   * Stands before the names of its tasks, as in `eu/emails`: for several sources whose queues may have the same name. 1 to 40 characters,
   * without `:` and `/`. Default none.
   */
  label?: string
}

export type QueuesToObserve = QueuesSource | BullmqQueue | ReadonlyArray<QueuesSource | BullmqQueue>

/** How existing queues are observed. */
export interface ObservationOptions {
  /**
   * In a queue whose jobs have several names, each name is a task, as in `mail:invoice`; default true. Set `false` if names of jobs hold
   * what not everybody may see: they become names of tasks, which are not redacted. Then each queue is one task.
   */
  names?: boolean
  /**
   * Allows run, retry, cancel, changes of priority, pause and resume, and changes of schedules, each in the way of the owner's version of
   * BullMQ; on PostgreSQL, job schedulers are left alone. The user of the server needs more rights, on Redis that to run EVAL. Default
   * false: nothing is written to the observed servers.
   */
  manage?: boolean
  /**
   * Called about once a second while the first look for queues takes longer, as on a server with millions of keys, and when it has ended:
   * about how many keys were looked at, and how many queues were found. `start()` waits at most 3 seconds for it.
   */
  onLook?: (look: QueuesLook) => void
}

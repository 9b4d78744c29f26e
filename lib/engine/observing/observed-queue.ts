import type { ReadClient } from '../../stores/redis/observing/read-client.ts'

/** A queue that other code fills. Its client can only read. */
export interface ObservedQueue {
  /** Name of the task that stands for it: the queue's own, after the label of its source and a slash if that has one. */
  readonly taskName: string
  readonly name: string
  /** BullMQ's prefix of its keys. */
  readonly prefix: string
  readonly client: ReadClient
  /** Called when a key of it turns out to be of another type than BullMQ keeps there. */
  readonly noteOddKey?: (kind: QueueKey) => void
}

/** The kinds of keys of a queue that are read; everything else in it is a job, or belongs to one. */
export type QueueKey =
  'wait' | 'paused' | 'active' | 'delayed' | 'prioritized' | 'completed' | 'failed' | 'waiting-children' | 'repeat' | 'meta' | 'events' |
  'limiter'

/** BullMQ forbids `:` in names of queues, so the last two segments of such a key are the queue and the kind, whatever the prefix. */
export function queueKey({ prefix, name }: Pick<ObservedQueue, 'prefix' | 'name'>, kind: QueueKey): string {
  return `${prefix}:${name}:${kind}`
}

export function jobKey({ prefix, name }: Pick<ObservedQueue, 'prefix' | 'name'>, jobId: string): string {
  return `${prefix}:${name}:${jobId}`
}

/** What all keys of a queue start with. */
export function queueStart({ prefix, name }: Pick<ObservedQueue, 'prefix' | 'name'>): string {
  return `${prefix}:${name}:`
}

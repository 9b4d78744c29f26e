import type { ReadClient } from '../../../stores/redis/observing/read-client.ts'
import type { QueuePlace } from '../queue-place.ts'

/** A queue on Redis. Its client can only read. */
export interface RedisQueue extends QueuePlace {
  readonly client: ReadClient
  /** The kinds of its keys that existed once. Of those that never did, one command asks whether there is any by now. */
  readonly seen: Set<QueueKey>
  /** Called when a key of it turns out to be of another type than BullMQ keeps there. */
  readonly noteOddKey?: (kind: QueueKey) => void
}

/**
 * The kinds of keys of a queue that are read; everything else in it is a job, or belongs to one. Which of them hold the jobs of a state:
 * `LISTS` in `queue-lists.ts`, and of one job `find-job.ts`; which of them may be due: `oldest-due.ts`.
 */
export type QueueKey =
  'wait' | 'paused' | 'active' | 'delayed' | 'prioritized' | 'completed' | 'failed' | 'waiting-children' | 'repeat' | 'meta' | 'events' |
  'limiter'

type Named = Pick<QueuePlace, 'prefix' | 'name'>

/** BullMQ forbids `:` in names of queues, so the last two segments of such a key are the queue and the kind, whatever the prefix. */
export function queueKey({ prefix, name }: Named, kind: QueueKey): string {
  return `${prefix}:${name}:${kind}`
}

export function jobKey({ prefix, name }: Named, jobId: string): string {
  return `${prefix}:${name}:${jobId}`
}

/** What all keys of a queue start with. */
export function queueStart({ prefix, name }: Named): string {
  return `${prefix}:${name}:`
}

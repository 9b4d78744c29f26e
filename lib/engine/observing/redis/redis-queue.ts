import type { ReadClient } from '../../../stores/redis/observing/read-client.ts'
import type { QueuePlace } from '../queue-place.ts'

/** A queue on Redis. Its client can only read. */
export interface RedisQueue extends QueuePlace {
  readonly client: ReadClient
  /** The kinds of its keys that have existed. For all kinds that never have, one command checks whether any exists by now. */
  readonly seen: Set<QueueKey>
  /** Called when one of its keys turns out to be of another type than BullMQ keeps there. */
  readonly noteOddKey?: (kind: QueueKey) => void
  /** Called with the version that its owner has stored, whenever it is read. */
  readonly noteVersion?: (version: string | null) => void
}

/**
 * The kinds of keys of a queue that are read, apart from those of jobs. See `LISTS` in `read-queues.ts` for the keys that hold the jobs of
 * a state, `find-job.ts` for those that are searched for one job, and `oldest-due.ts` for those whose jobs may be due.
 */
export type QueueKey =
  'wait' | 'paused' | 'active' | 'delayed' | 'prioritized' | 'completed' | 'failed' | 'waiting-children' | 'repeat' | 'meta' | 'events' |
  'limiter'

type Named = Pick<QueuePlace, 'prefix' | 'name'>

/** BullMQ forbids `:` in queue names, so the last two segments of such a key are the queue and the kind, whatever the prefix. */
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

/** The score of a member of a sorted set, which may be infinite. */
export function scoreFrom(text: string | undefined): number {
  return text === 'inf' ? Infinity : text === '-inf' ? -Infinity : Number(text)
}

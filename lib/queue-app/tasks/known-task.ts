import type { PublishedTask } from './task-definitions.ts'

/** A queue that other code fills and works on. How its jobs are repeated and run is decided there, job by job. */
export interface ExternalTask {
  readonly type: 'external'
  readonly name: string
  readonly description: null
  readonly retries: null
  readonly backoff: null
  readonly timeoutMs: null
  readonly concurrency: null
  readonly rateLimit: null
  /** Milliseconds since the epoch, by the clock of this process. */
  readonly firstSeenAt: number
  readonly lastSeenAt: number
}

/** A task that dashboards show. */
export type KnownTask = PublishedTask | ExternalTask

export function toExternalTask(
  { taskName, firstSeenAt, lastSeenAt }: { readonly taskName: string; readonly firstSeenAt: number; readonly lastSeenAt: number }
): ExternalTask {
  return {
    type: 'external', name: taskName, description: null, retries: null, backoff: null, timeoutMs: null, concurrency: null, rateLimit: null,
    firstSeenAt, lastSeenAt
  }
}

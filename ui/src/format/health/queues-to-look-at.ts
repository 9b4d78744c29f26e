import type { Queue, Stats } from '../../../../schemas/index.ts'

/** Queues in which something waits that does not start by itself. */
export interface QueuesToLookAt {
  /** Paused ones. `waiting`: executions in all of them. */
  readonly paused: { readonly queues: number; readonly waiting: number }
  /** Tasks with due executions that no live process runs, ordered as the queues are. Not those whose queue is paused. */
  readonly withoutWorker: readonly string[]
}

export function toQueuesToLookAt(queues: readonly Queue[]): QueuesToLookAt {
  const paused = queues.filter(({ pause, pending }) => pause !== null && pending > 0)
  return {
    paused: { queues: paused.length, waiting: paused.reduce((sum, { pending }) => sum + pending, 0) },
    // Workers of other code are not known: null.
    withoutWorker: queues.filter(({ pause, workers, oldest_pending_ms: oldestMs }) => pause === null && workers === 0 && oldestMs !== null)
      .map(({ task_name: task }) => task)
  }
}

/** A free worker takes an execution within this time. */
const TAKEN_WITHIN_MS = 5_000

/** Whether a due execution waits, for whatever reason. Then the queues are worth a look. */
export function isAnythingWaiting(stats: Stats | undefined): boolean {
  return (stats?.oldest_pending_ms ?? 0) > TAKEN_WITHIN_MS
}

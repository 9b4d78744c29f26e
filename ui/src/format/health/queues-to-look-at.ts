import type { Queue, Stats } from '../../../../schemas/index.ts'

/** Queues with waiting executions that do not start by themselves. */
export interface QueuesToLookAt {
  /** Paused queues. `waiting`: the number of executions in all of them. */
  readonly paused: { readonly queues: number; readonly waiting: number }
  /** Tasks with due executions that no live process runs, in the order of the queues. Tasks whose queue is paused are left out. */
  readonly withoutWorker: readonly string[]
}

export function toQueuesToLookAt(queues: readonly Queue[]): QueuesToLookAt {
  const paused = queues.filter(({ pause, pending }) => pause !== null && pending > 0)
  return {
    paused: { queues: paused.length, waiting: paused.reduce((sum, { pending }) => sum + pending, 0) },
    // `workers` is null for observed queues, because their workers are not known.
    withoutWorker: queues.filter(({ pause, workers, oldest_pending_ms: oldestMs }) => pause === null && workers === 0 && oldestMs !== null)
      .map(({ task_name: task }) => task)
  }
}

/** A free worker takes an execution within this time. */
const TAKEN_WITHIN_MS = 5_000

/** Whether a due execution is waiting, for whatever reason. Then the queues must be examined. */
export function isAnythingWaiting(stats: Stats | undefined): boolean {
  return (stats?.oldest_pending_ms ?? 0) > TAKEN_WITHIN_MS
}

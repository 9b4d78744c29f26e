import type { Engine } from '../../engine/engine.ts'
import type { ObservedQueue } from '../../engine/observing/observed-queue.ts'
import type { FinishedExecution } from '../../execution.ts'
import { heldOf, SupersededError, type Fence } from '../../stores/documents/fence.ts'
import { createTaskDashboardError } from '../../errors.ts'
import type { ResultBackend } from '../../backend/result-backend.ts'
import type { Follower } from './follow-events.ts'
import type { NotedFinishes } from './noted-finishes.ts'
import type { RecordingTurn } from './recording-turn.ts'
import type { EventFinishes } from './event-finishes.ts'

interface Dependencies {
  readonly finishedSince: Engine['finishedSince']
  readonly follower: Pick<Follower, 'caughtUp'>
  readonly record: ResultBackend['record']
  readonly turn: Pick<RecordingTurn, 'fence'>
  readonly ofEvents: EventFinishes
  readonly noted: NotedFinishes
  readonly queueOf: (taskName: string) => ObservedQueue | undefined
  readonly isStopping: () => boolean
}

export interface UnrecordedFinishes {
  readonly finishedSince: Engine['finishedSince']
  /**
   * Records executions of the batch that was read last. Rejects with a SupersededError if another process has begun to record since then.
   */
  record(executions: readonly FinishedExecution[]): Promise<number>
}

/**
 * Gives the reconciler the finished jobs that queues still hold, except those that were recorded from their events under another id. An
 * owner may remove a job after it is read here and before its event is read. So each batch waits until the events that existed when it was
 * read are recorded. A batch is recorded in the turn in which it was read, because this process does not know what another process has
 * recorded in the meantime.
 */
export function createUnrecordedFinishes(dependencies: Dependencies): UnrecordedFinishes {
  const { finishedSince, record, follower, turn, ofEvents, noted, queueOf, isStopping } = dependencies
  let readIn: Fence | null = null

  async function * unrecordedSince(
    ...[taskName, sinceMs, missing]: Parameters<Engine['finishedSince']>
  ): AsyncGenerator<FinishedExecution[]> {
    if (turn.fence() === null) await follower.caughtUp(taskName)
    const batches = finishedSince(taskName, sinceMs, missing)[Symbol.asyncIterator]()
    try {
      for (;;) {
        const fence = turn.fence()
        const since = ofEvents.count()
        const next = await batches.next()
        if (next.done === true) return
        const executions = next.value
        const at = await queueOf(taskName)?.server.now() ?? Date.now()
        const isCaughtUp = await follower.caughtUp(taskName)
        if (isStopping()) throw createTaskDashboardError('ALREADY_STOPPED')
        if (fence === null || fence !== turn.fence()) throw new SupersededError()
        readIn = fence
        // The events cannot be read now. The process that reads them next compares them with what is noted here, by their times.
        if (!isCaughtUp) noted.note(executions)
        const unrecorded = executions.filter(execution => !ofEvents.isRebuilt(execution, { since, at }))
        if (unrecorded.length > 0) yield unrecorded
      }
    } finally {
      await batches.return?.()
    }
  }

  return {
    finishedSince: unrecordedSince,
    record: async executions => record(executions, { onlyWhile: heldOf(readIn) })
  }
}

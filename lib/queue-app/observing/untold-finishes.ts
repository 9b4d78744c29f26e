import type { Engine } from '../../engine/engine.ts'
import type { ObservedQueue } from '../../engine/observing/observed-queue.ts'
import { createTaskDashboardError } from '../../errors.ts'
import type { Follower } from './follow-events.ts'
import type { NotedFinishes } from './noted-finishes.ts'
import type { ToldFinishes } from './told-finishes.ts'

interface Dependencies {
  readonly finishedSince: Engine['finishedSince']
  readonly follower: Pick<Follower, 'caughtUp'>
  readonly told: ToldFinishes
  readonly noted: NotedFinishes
  readonly queueOf: (taskName: string) => ObservedQueue | undefined
  readonly isStopping: () => boolean
}

/**
 * The finished jobs that queues still hold, for the reconciler, without those that their events tell under another id: an owner may remove
 * a job between the reading here and the reading of its event. So each batch waits until the events that were there when it was read are
 * recorded.
 */
export function createUntoldFinishes(dependencies: Dependencies): Engine['finishedSince'] {
  const { finishedSince, follower, told, noted, queueOf, isStopping } = dependencies
  return async function * (taskName, sinceMs, missing) {
    const batches = finishedSince(taskName, sinceMs, missing)[Symbol.asyncIterator]()
    try {
      for (;;) {
        const since = told.count()
        const next = await batches.next()
        if (next.done === true) return
        const executions = next.value
        const at = await queueOf(taskName)?.server.now() ?? Date.now()
        const isCaughtUp = await follower.caughtUp(taskName)
        if (isStopping()) throw createTaskDashboardError('ALREADY_STOPPED')
        // Nobody reads the events now. Whoever does so next compares them with what is noted here, by the clocks.
        if (!isCaughtUp) noted.note(executions)
        const untold = executions.filter(execution => !told.isRebuilt(execution, { since, at }))
        if (untold.length > 0) yield untold
      }
    } finally {
      await batches.return?.()
    }
  }
}

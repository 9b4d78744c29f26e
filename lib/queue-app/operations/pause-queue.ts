import { MAX_PAUSE_MS } from '../../../schemas/limits.ts'
import type { Engine } from '../../engine/engine.ts'
import { createTaskDashboardError, invalidInput } from '../../errors.ts'
import { confirmed } from '../../stores/failures/unavailable.ts'
import { DAY_MS } from '../../time/units.ts'
import type { QueueOverview } from '../monitoring/monitoring.ts'
import { checkReason } from './action-reason.ts'
import type { Operations, QueuePauseInput } from './operations.ts'

interface PauseDependencies {
  readonly engine: Pick<Engine, 'pauseQueue' | 'resumeQueue'>
  /** By the name of the queue or its task. */
  find(name: string): Promise<QueueOverview | null>
  /** The broker's clock. */
  now(): Promise<number>
}

/** See `Operations`. The figures in the response are from before the change, so that a change that was made is never reported as failed. */
export function createPauseQueue({ engine, find, now }: PauseDependencies): Pick<Operations, 'pauseQueue' | 'resumeQueue'> {
  return {
    async pauseQueue(name, { reason, until = null, by = null }: QueuePauseInput = {}) {
      const request = { by, reason: checkReason(reason), until }
      if (until !== null) checkUntil(until, await now())
      const queue = await found(name)
      return { ...queue, pause: await confirmed(() => engine.pauseQueue(queue.taskName, request)) }
    },

    async resumeQueue(name) {
      const queue = await found(name)
      await confirmed(() => engine.resumeQueue(queue.taskName))
      return { ...queue, pause: null }
    }
  }

  async function found(name: string): Promise<QueueOverview> {
    const queue = typeof name === 'string' ? await find(name) : null
    if (queue === null) throw createTaskDashboardError('QUEUE_NOT_FOUND', [String(name)])
    return queue
  }
}

function checkUntil(until: number, now: number): void {
  if (Number.isSafeInteger(until) && until > now && until <= now + MAX_PAUSE_MS) return
  throw invalidInput('/until', `must be in the future, at most ${MAX_PAUSE_MS / DAY_MS} days from now`)
}

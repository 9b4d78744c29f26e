import { inTurns } from '../../../collections/in-turns.ts'
import type { SeenQueue } from '../../../engine/observing/discovery.ts'
import type { ObservedScheduler } from '../../../engine/observing/schedulers/observed-scheduler.ts'
import type { SchedulerReads } from '../../../engine/observing/schedulers/scheduler-reads.ts'
import { SECOND_MS } from '../../../time/units.ts'

/** Of all queues together. */
export const MAX_SCHEDULERS_SHOWN = 10_000
const QUEUES_AT_ONCE = 20
/** Each queue of a server that is silent would take as long as its first one. */
const SILENT_MS = SECOND_MS

export interface OwnersSchedulers {
  readonly schedulers: readonly ObservedScheduler[]
  /** Names of the tasks whose queues were read to the end. */
  readonly complete: ReadonlySet<string>
  /** How many are beyond the limits. */
  readonly left: number
  /** The first failure; null if all queues could be read. */
  readonly failure: unknown
  /** Why those of some queues cannot be known, one sentence for each reason. */
  readonly unknown: readonly string[]
}

/** The schedulers of all queues. A queue that cannot be read stops no other. */
export async function readAllSchedulers(
  reads: Pick<SchedulerReads<SeenQueue>, 'list'>, queues: readonly SeenQueue[]
): Promise<OwnersSchedulers> {
  const found: ObservedScheduler[] = []
  const reasons = new Set<string>()
  const complete = new Set<string>()
  let left = 0
  const silent = new Set<SeenQueue['server']>()
  let failure: unknown = null
  await inTurns(queues, async queue => {
    if (silent.has(queue.server)) return
    const begun = performance.now()
    try {
      const { schedulers, left: more, unknown } = await reads.list(queue)
      if (unknown !== undefined) {
        reasons.add(unknown)
        return
      }
      const room = Math.max(MAX_SCHEDULERS_SHOWN - found.length, 0)
      found.push(...schedulers.slice(0, room))
      left += more + Math.max(schedulers.length - room, 0)
      if (more === 0 && schedulers.length <= room) complete.add(queue.taskName)
    } catch (error) {
      failure ??= error
      if (performance.now() - begun >= SILENT_MS) silent.add(queue.server)
    }
  }, QUEUES_AT_ONCE)
  return { schedulers: found, complete, left, failure, unknown: [...reasons] }
}

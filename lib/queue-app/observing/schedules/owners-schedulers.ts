import { groupBy } from '../../../collections/group-by.ts'
import { inTurns } from '../../../collections/in-turns.ts'
import type { SeenQueue } from '../../../engine/observing/discovery.ts'
import type { ObservedScheduler } from '../../../engine/observing/schedulers/observed-scheduler.ts'
import type { SchedulerReads } from '../../../engine/observing/schedulers/scheduler-reads.ts'
import { withDeadline } from '../../../time/deadline.ts'
import { SECOND_MS } from '../../../time/units.ts'

/** Of all queues together. */
export const MAX_SCHEDULERS_SHOWN = 10_000
const QUEUES_AT_ONCE = 20
/**
 * A read that fails after this long shows that its server does not respond. The server's other queues are skipped, because each would take
 * as long.
 */
const SILENT_MS = SECOND_MS

export interface OwnersSchedulers {
  readonly schedulers: readonly ObservedScheduler[]
  /** Names of the tasks whose queues were read to the end. */
  readonly complete: ReadonlySet<string>
  /** How many are beyond the limits. */
  readonly left: number
  /** The first failure; null if all queues could be read. */
  readonly failure: unknown
  /** Why the schedulers of some queues cannot be known, one sentence for each reason. */
  readonly unknown: readonly string[]
}

/**
 * Reads the schedulers of all queues. A queue that cannot be read, or a slow server, does not keep the others from being read.
 * @param withinMs what was not read by then is missing. Default: no limit
 */
export async function readAllSchedulers(
  reads: Pick<SchedulerReads<SeenQueue>, 'haveAny' | 'list' | 'serverOf'>, queues: readonly SeenQueue[], withinMs?: number
): Promise<OwnersSchedulers> {
  const found: ObservedScheduler[] = []
  const reasons = new Set<string>()
  const complete = new Set<string>()
  let left = 0
  const silent = new Set<SeenQueue['server']>()
  let failure: unknown = null
  let isOver = false

  const guarded = async (server: SeenQueue['server'], read: () => Promise<void>): Promise<void> => {
    if (isOver || silent.has(server)) return
    const begun = performance.now()
    try {
      await read()
    } catch (error) {
      if (!isOver) failure ??= error
      if (performance.now() - begun >= SILENT_MS) silent.add(server)
    }
  }
  /** Reads the queues of one server. */
  async function readSome(some: readonly SeenQueue[]): Promise<void> {
    const parts = [...groupBy(some, ({ server }) => server)].map(([server, ofPart]) => ({ server, ofPart }))
    const having: SeenQueue[] = []
    await Promise.all(parts.map(({ server, ofPart }) => guarded(server, async () => {
      const answers = await reads.haveAny(ofPart)
      if (isOver) return
      for (const [index, answer] of answers.entries()) {
        if (answer === true) having.push(ofPart[index]!)
        else if (answer === false) complete.add(ofPart[index]!.taskName)
      }
      const error = answers.find(answer => answer instanceof Error)
      if (error !== undefined) throw error
    })))
    await inTurns(having, queue => guarded(queue.server, async () => {
      const { schedulers, left: more, unknown } = await reads.list(queue)
      if (isOver) return
      if (unknown !== undefined) return void reasons.add(unknown)
      const room = Math.max(MAX_SCHEDULERS_SHOWN - found.length, 0)
      found.push(...schedulers.slice(0, room))
      left += more + Math.max(schedulers.length - room, 0)
      if (more === 0 && schedulers.length <= room) complete.add(queue.taskName)
    }), QUEUES_AT_ONCE)
  }

  const reading = Promise.all([...groupBy(queues, reads.serverOf)].map(([, some]) => readSome(some)))
  try {
    await (withinMs === undefined ? reading : withDeadline(reading, withinMs, 'Some schedulers were not read'))
  } catch (error) {
    failure ??= error
  }
  isOver = true
  return { schedulers: found, complete, left, failure, unknown: [...reasons] }
}

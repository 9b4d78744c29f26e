import { groupBy } from '../../../collections/group-by.ts'
import { inTurns } from '../../../collections/in-turns.ts'
import type { SeenQueue } from '../../../engine/observing/discovery.ts'
import { CALLS_AT_ONCE, type ObservedServer } from '../../../engine/observing/observed-server.ts'
import { toQueues, type ObservedSource } from '../../../engine/observing/observed-source.ts'
import { SECOND_MS } from '../../../time/units.ts'
import { identityKey, type FollowedBefore, type SavedProgress } from '../saved-progress.ts'
import type { StreamPosition } from '../streams/stream-positions.ts'
import type { GoneQueues } from './gone-queues.ts'

/** Queues that were followed before this process began to record, until each was found or is known to be gone. */
export interface EarlierQueues {
  load(): Promise<void>
  /**
   * Asks the servers for some of the queues that are not shown, and reports those that are gone. A server that does not respond is asked
   * again later. Rejects if the result backend fails.
   */
  tell(isShown: (taskName: string) => boolean): Promise<void>
}

interface Dependencies {
  readonly sources: readonly ObservedSource[]
  readonly progress: Pick<SavedProgress, 'followed' | 'savePositions'>
  readonly tellGone: GoneQueues['tell']
}

/** As many as one server may have. The others are not reported. */
const MAX_EARLIER = 20_000
/** How many are asked for at a time, so that events do not wait. */
const MAX_ASKED = 1_000
const ASKED_AGAIN_MS = 10 * SECOND_MS

export function createEarlierQueues({ sources, progress, tellGone }: Dependencies): EarlierQueues {
  let left = new Map<SeenQueue, StreamPosition>()
  let askAt = -Infinity

  /** The queue itself, if it would be shown if it still existed. A queue that an option names is shown in any case. */
  function queueOf({ server, prefix, name }: FollowedBefore): SeenQueue | undefined {
    const source = sources.find(each => each.queues === 'all' && each.prefix === prefix && identityKey(each.server) === server)
    const queue = source && toQueues(source, [name]).shown[0]
    return queue && { ...queue, firstSeenAt: 0, lastSeenAt: 0 }
  }

  /** Null: its server did not respond. */
  async function isGone(queue: SeenQueue, { position }: StreamPosition, silent: Set<ObservedServer>): Promise<boolean | null> {
    const { server } = queue
    if (silent.has(server)) return null
    try {
      return !await server.exists(queue) && await server.events.stream(queue, position) === null
    } catch (error) {
      // The user may no longer read it.
      if (server.events.isRefusal(error)) return false
      silent.add(server)
      return null
    }
  }

  return {
    async load() {
      left = new Map((await progress.followed()).flatMap(each => {
        const queue = queueOf(each)
        return queue === undefined ? [] : [[queue, each.position] as const]
      }).slice(0, MAX_EARLIER))
      askAt = -Infinity
    },
    async tell(isShown) {
      if (left.size === 0 || performance.now() < askAt) return
      const silent = new Set<ObservedServer>()
      const asked = [...left].slice(0, MAX_ASKED)
      const absent = new Map<SeenQueue, StreamPosition>()
      await inTurns(asked, async ([queue, position]) => {
        const isAbsent = isShown(queue.taskName) ? false : await isGone(queue, position, silent)
        left.delete(queue)
        if (isAbsent === null) left.set(queue, position)
        else if (isAbsent) absent.set(queue, position)
      }, CALLS_AT_ONCE)
      if (silent.size > 0) askAt = performance.now() + ASKED_AGAIN_MS
      for (const [server, queues] of groupBy([...absent.keys()], ({ server }) => server)) {
        const positions = await tellGone(server, new Map(queues.map(queue => [queue, absent.get(queue)!])))
        await progress.savePositions([...positions].map(([queue, position]) => ({ queue, position })))
      }
    }
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import type { Test } from 'tap'
import type { QueueApp, TaskDashboardError } from '../../../lib/index.ts'

/** The period between two failovers, from the view of the server that is primary at its start. */
interface Era {
  readonly client: Redis
  /** When the server first refused a write after losing its replica. From then on it accepts none. */
  refusedAt: number
}

export interface Accepted {
  readonly executionId: string
  readonly number: number
  readonly acceptedAt: number
  /** False for the few writes that Redis does not guarantee: the primary accepted them, but may have lost its replica before. */
  readonly isKept: () => boolean
}

export interface Refused {
  readonly number: number
  readonly code: string
  readonly at: number
}

export type ReplicatedLoad = Awaited<ReturnType<typeof startReplicatedLoad>>

const LOOPS = 3
const PAUSE_MS = 40

/**
 * Enqueues `count` with numbers from 0 until the test ends. Redis replicates asynchronously: it responds before the replica has the write,
 * and a replica promoted just then lacks it. `min-replicas-to-write` only ensures that a replica was connected. So each enqueue is followed
 * by a write to the primary and WAIT, which tells whether the replica has both.
 */
export async function startReplicatedLoad(t: Test, queueApp: QueueApp, primaryUrl: string) {
  const accepted: Accepted[] = []
  const refused: Refused[] = []
  const begin = async (url: string): Promise<Era> => {
    const client = new Redis(url, { lazyConnect: true, enableOfflineQueue: false, maxRetriesPerRequest: 0, retryStrategy: () => 100 })
    client.on('error', () => {})
    t.teardown(() => client.disconnect())
    // A probe before connecting would count as a refusal of the server.
    await client.connect()
    return { client, refusedAt: Infinity }
  }
  let era = await begin(primaryUrl)
  let isOver = false
  let next = 0

  async function enqueueOne(): Promise<void> {
    const [number, own, begunAt] = [next++, era, performance.now()]
    try {
      const executionId = await queueApp.enqueue('count', [number])
      const acceptedAt = performance.now()
      const isReplicated = await replicates(own)
      accepted.push({ executionId, number, acceptedAt, isKept: () => isReplicated || begunAt > own.refusedAt })
    } catch (error) {
      refused.push({ number, code: (error as TaskDashboardError).code, at: performance.now() })
    }
  }
  const loops = Array.from({ length: LOOPS }, async () => { while (!isOver) { await enqueueOne(); await sleep(PAUSE_MS) } })

  return {
    accepted,
    refused,
    /** Call this when the old primary is a replica or stopped. From then on, writes are checked on this server. */
    async follow(url: string) { era = await begin(url) },
    async end() {
      isOver = true
      await Promise.all(loops)
    }
  }
}

/** Whether the replica has everything that the server accepted before. */
async function replicates(era: Era): Promise<boolean> {
  for (;;) {
    const [write, replicas] = await era.client.pipeline().incr('probe').call('WAIT', 1, 1_000).exec().catch((error: Error) => [[error]]) ??
      []
    if (!write || write[0]) {
      era.refusedAt = Math.min(era.refusedAt, performance.now())
      return false
    }
    if (replicas?.[1] === 1) return true
  }
}

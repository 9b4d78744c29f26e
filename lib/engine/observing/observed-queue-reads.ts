import { readByGroup } from '../../collections/read-by-group.ts'
import { failedCall, isStoreFailure } from '../../stores/failures/unavailable.ts'
import { withDeadline } from '../../time/deadline.ts'
import type { QueueReads, StateCounts, StoredArgs } from '../queues/queue-reads.ts'
import { argsFromData, executionFromObserved, type ObservedJob } from './observed-job.ts'
import type { ObservedQueue } from './observed-queue.ts'
import type { ObservedServer } from './observed-server.ts'

/** Lists of observed queues; what they hold is counted first, as some servers may be away. */
export type ObservedQueueReads = Omit<QueueReads<ObservedJob>, 'counts'>

/** The lists of observed queues, by the names of their tasks. Each server is read by itself, so each part has its own moment. */
export function createObservedQueueReads(queueOf: (taskName: string) => ObservedQueue | undefined): ObservedQueueReads {
  return {
    executionOf: executionFromObserved,

    ranges: (requests, now) => readOfQueues(
      requests, request => queueOf(request.queueName),
      (server, ofServer) => server.queues.ranges(ofServer.map(({ item, queue }) => ({ request: item, queue })), now),
      request => ({ jobs: [], next: request.offset, isEnd: true })
    ),

    complete: jobs => readOfQueues(
      jobs, job => queueOf(job.taskName),
      (server, ofServer) => server.jobs.complete(ofServer.map(({ item, queue }) => ({ job: item, queue }))), () => null
    ),

    args: (jobs, maxBytes) => Promise.all(jobs.map(async ({ queueName, id }): Promise<StoredArgs> => {
      const queue = queueOf(queueName)
      if (queue === undefined) return { args: null, bytes: 0 }
      const { data, bytes } = await queue.server.jobs.data(queue, id, maxBytes)
      if (data === undefined) return { args: undefined, bytes }
      const args = argsFromData(data)
      return { args: args === null ? null : JSON.stringify(args), bytes }
    }))
  }
}

/**
 * Reads something for each item. Each server is asked once for all of its queues.
 * @param missing what stands for an item whose queue is not observed any more
 * @returns in the order of the items
 */
async function readOfQueues<Item, Value>(
  items: readonly Item[], queueOf: (item: Item) => ObservedQueue | undefined,
  read: (server: ObservedServer, known: ReadonlyArray<{ item: Item; queue: ObservedQueue }>) => Promise<readonly Value[]>,
  missing: (item: Item) => Value
): Promise<Value[]> {
  const known = items.flatMap(item => {
    const queue = queueOf(item)
    return queue === undefined ? [] : [{ item, queue }]
  })
  const values = await readByGroup(known, ({ queue }) => queue.server, read)
  const found = new Map(known.map(({ item }, index) => [item, values[index]!]))
  return items.map(item => found.has(item) ? found.get(item)! : missing(item))
}

/** What servers tell of their queues, by task. Each is asked once for all of its own. */
export async function ofServers<Value>(
  queues: readonly ObservedQueue[], read: (server: ObservedServer, queues: readonly ObservedQueue[]) => Promise<readonly Value[]>
): Promise<Map<string, Value>> {
  const values = await readByGroup(queues, ({ server }) => server, read)
  return new Map(queues.map(({ taskName }, index) => [taskName, values[index]!]))
}

/** What some servers tell, while others are away. */
export interface OfReachable<Value> {
  readonly values: Map<string, Value>
  /** Why the rest is missing; null if nothing is. */
  readonly lost: Error | null
  /** Servers that are away. */
  readonly away: readonly ObservedServer[]
}

/**
 * The same, without the queues of servers, or nodes of a cluster, that are away. Rejects with the error of one of them if no other is left,
 * and with whatever else went wrong.
 * @param withinMs how long each of them may take
 */
export async function ofReachable<Value>(
  queues: readonly ObservedQueue[], withinMs: number,
  read: (server: ObservedServer, queues: readonly ObservedQueue[]) => Promise<readonly Value[]>
): Promise<OfReachable<Value>> {
  let lost: Error | null = null
  const away: ObservedServer[] = []
  const found = await ofServers<{ readonly value: Value } | null>(queues, async (server, ofServer) => {
    try {
      const values = await withDeadline(read(server, ofServer), withinMs, 'A server did not answer')
      return values.map(value => ({ value }))
    } catch (error) {
      const failure = failedCall(error, 'broker')
      if (!isStoreFailure(failure)) throw failure
      lost = failure
      away.push(server)
      return ofServer.map(() => null)
    }
  })
  const values = new Map([...found].flatMap(([name, told]) => told === null ? [] : [[name, told.value]]))
  if (lost !== null && values.size === 0) throw lost as Error
  return { values, lost, away }
}

/** Those that hold something. */
export function held(counts: ReadonlyMap<string, StateCounts>): Map<string, StateCounts> {
  return new Map([...counts].filter(([, { waiting, prioritized, delayed, active, waitingChildren = 0 }]) =>
    waiting + prioritized + delayed + active + waitingChildren > 0))
}

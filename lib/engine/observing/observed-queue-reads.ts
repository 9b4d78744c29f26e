import { readByGroup } from '../../collections/read-by-group.ts'
import { failedCall, isStoreFailure } from '../../stores/failures/unavailable.ts'
import { withDeadline } from '../../time/deadline.ts'
import type { JobRange, QueueReads, RangeRequest, StateCounts, StoredArgs } from '../queues/queue-reads.ts'
import { argsFromData, executionFromObserved, type ObservedJob } from './observed-job.ts'
import type { ObservedQueue } from './observed-queue.ts'
import type { ObservedServer } from './observed-server.ts'

/** Lists of observed queues; what they hold is counted first, as some servers may be away. */
export type ObservedQueueReads = Omit<QueueReads<ObservedJob>, 'counts'>

/** Answers as `read` does, or with `instead` if the server is away. */
export type AskServer = <Answer>(server: ObservedServer, read: () => Promise<Answer>, instead: () => Answer) => Promise<Answer>

/**
 * The lists of observed queues, by the names of their tasks. Each server is read by itself, so each part has its own moment.
 * @param ask through which each server is asked
 */
export function createObservedQueueReads(queueOf: (taskName: string) => ObservedQueue | undefined, ask: AskServer): ObservedQueueReads {
  return {
    executionOf: executionFromObserved,

    ranges: (requests, now) => readOfQueues(
      requests, request => queueOf(request.queueName),
      (server, ofServer) => ask(
        server, () => server.queues.ranges(ofServer.map(({ item, queue }) => ({ request: item, queue })), now),
        () => ofServer.map(({ item }) => nothingOf(item))
      ), nothingOf
    ),

    complete: jobs => readOfQueues(
      jobs, job => queueOf(job.taskName),
      (server, ofServer) => ask(
        server, () => server.jobs.complete(ofServer.map(({ item, queue }) => ({ job: item, queue }))), () => ofServer.map(() => null)
      ), () => null
    ),

    args: (jobs, maxBytes) => readOfQueues(
      jobs, job => queueOf(job.queueName),
      (server, ofServer) => ask(
        server, () => Promise.all(ofServer.map(({ item, queue }) => readArgs(queue, item.id, maxBytes))),
        () => ofServer.map(() => ({ args: undefined, bytes: 0 }))
      ), () => ({ args: null, bytes: 0 })
    )
  }
}

async function readArgs(queue: ObservedQueue, id: string, maxBytes: number): Promise<StoredArgs> {
  const { data, bytes } = await queue.server.jobs.data(queue, id, maxBytes)
  if (data === undefined) return { args: undefined, bytes }
  const args = argsFromData(data)
  return { args: args === null ? null : JSON.stringify(args), bytes }
}

function nothingOf({ offset }: RangeRequest): JobRange<ObservedJob> {
  return { jobs: [], next: offset, isEnd: true }
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
 * The same, without the queues of servers, or nodes of a cluster, that are away. Rejects with whatever else went wrong.
 * @param withinMs how long each of them may take
 */
export async function ofReachable<Value>(
  queues: readonly ObservedQueue[], withinMs: number,
  read: (server: ObservedServer, queues: readonly ObservedQueue[]) => Promise<readonly Value[]>
): Promise<OfReachable<Value>> {
  const patience = createPatience(withinMs)
  const found = await ofServers(queues, (server, ofServer) => patience.ask<Array<{ readonly value: Value } | null>>(
    server, async () => (await read(server, ofServer)).map(value => ({ value })), () => ofServer.map(() => null)
  ))
  const values = new Map([...found].flatMap(([name, told]) => told === null ? [] : [[name, told.value]]))
  return { values, lost: patience.lost(), away: [...patience.away] }
}

/** Throws the error of one of them if all servers are away. */
export function unlessAllAway<Value>(found: OfReachable<Value>): OfReachable<Value> {
  if (found.lost !== null && found.values.size === 0) throw found.lost
  return found
}

/** Reads of servers that may be away. */
export interface Patience {
  readonly ask: AskServer
  readonly away: ReadonlySet<ObservedServer>
  /** The first error of one that is away; null if none is. */
  lost(): Error | null
}

/**
 * A server that fails, or is slow, is away from then on.
 * @param withinMs how long each may take for all that it is asked. What others take does not count
 */
export function createPatience(withinMs: number): Patience {
  const away = new Set<ObservedServer>()
  const spent = new Map<ObservedServer, number>()
  let lost: Error | null = null
  return {
    away,
    lost: () => lost,
    async ask(server, read, instead) {
      if (away.has(server)) return instead()
      const begun = performance.now()
      const before = spent.get(server) ?? 0
      try {
        return await withDeadline(read(), Math.max(Math.ceil(withinMs - before), 0), 'A server did not answer')
      } catch (error) {
        const failure = failedCall(error, 'broker')
        if (!isStoreFailure(failure)) throw failure
        lost ??= failure
        away.add(server)
        return instead()
      } finally {
        spent.set(server, before + performance.now() - begun)
      }
    }
  }
}

/** Those that hold something. */
export function held(counts: ReadonlyMap<string, StateCounts>): Map<string, StateCounts> {
  return new Map([...counts].filter(([, { waiting, prioritized, delayed, active, waitingChildren = 0 }]) =>
    waiting + prioritized + delayed + active + waitingChildren > 0))
}

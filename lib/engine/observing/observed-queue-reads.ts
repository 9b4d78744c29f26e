import { readByGroup } from '../../collections/read-by-group.ts'
import { failedCall, isStoreFailure } from '../../stores/failures/unavailable.ts'
import { withDeadline } from '../../time/deadline.ts'
import type { JobRange, QueueReads, RangeRequest, StateCounts, StoredArgs } from '../queues/queue-reads.ts'
import { argsFromData, executionFromObserved, type ObservedJob } from './observed-job.ts'
import type { ObservedQueue } from './observed-queue.ts'
import type { ObservedServer } from './observed-server.ts'

/** Reads lists of observed queues. Counts are not included: they are read first, because some servers may be unavailable. */
export type ObservedQueueReads = Omit<QueueReads<ObservedJob>, 'counts'>

/** Returns what `read` returns, or `instead()` if the server is unavailable. */
export type AskServer = <Answer>(server: ObservedServer, read: () => Promise<Answer>, instead: () => Answer) => Promise<Answer>

/**
 * Reads lists of observed queues, by task name. Each server is read separately, so the parts may be a moment apart.
 * @param ask runs each read of a server
 * @param onRefused called for a queue that the user may not read, which is left out
 */
export function createObservedQueueReads(
  queueOf: (taskName: string) => ObservedQueue | undefined, ask: AskServer, onRefused: (error: Error) => void
): ObservedQueueReads {
  return {
    executionOf: executionFromObserved,

    ranges: (requests, now) => readOfQueues(
      requests, request => queueOf(request.queueName),
      (server, ofServer) => ask(
        server, async () => {
          const ranges = await server.queues.ranges(ofServer.map(({ item, queue }) => ({ request: item, queue })), now)
          return ranges.map((range, at) => {
            if (!(range instanceof Error)) return range
            onRefused(range)
            return nothingOf(ofServer[at]!.item)
          })
        },
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
 * Reads a value for each item. Each server gets one request for all of its queues.
 * @param missing the value for an item whose queue is no longer observed
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

/** A value for each queue, by task name. Each server gets one request for all of its queues. */
export async function ofServers<Value>(
  queues: readonly ObservedQueue[], read: (server: ObservedServer, queues: readonly ObservedQueue[]) => Promise<readonly Value[]>
): Promise<Map<string, Value>> {
  const values = await readByGroup(queues, ({ server }) => server, read)
  return new Map(queues.map(({ taskName }, index) => [taskName, values[index]!]))
}

/** Values from the servers that respond, while others are unavailable, and of the queues that the user may read. */
export interface OfReachable<Value> {
  readonly values: Map<string, Value>
  /** Why the rest is missing; null if nothing is. */
  readonly lost: Error | null
  /** Servers that are unavailable. */
  readonly away: readonly ObservedServer[]
}

/**
 * Like `ofServers`, but leaves out queues whose server, or whose node of a cluster, is unavailable, and queues that the user may not read.
 * Rejects with any other error.
 * @param withinMs how long each server may take
 */
export async function ofReachable<Value>(
  queues: readonly ObservedQueue[], withinMs: number,
  read: (server: ObservedServer, queues: readonly ObservedQueue[]) => Promise<ReadonlyArray<Value | Error>>
): Promise<OfReachable<Value>> {
  const patience = createPatience(withinMs)
  const found = await ofServers(queues, (server, ofServer) => patience.ask<Array<{ readonly value: Value | Error } | null>>(
    server, async () => (await read(server, ofServer)).map(value => ({ value })), () => ofServer.map(() => null)
  ))
  const values = new Map<string, Value>()
  let refused: Error | null = null
  for (const [name, told] of found) {
    if (told?.value instanceof Error) refused ??= failedCall(told.value, 'broker') as Error
    else if (told !== null) values.set(name, told.value)
  }
  return { values, lost: patience.lost() ?? refused, away: [...patience.away] }
}

/** Throws the first error if all servers are unavailable. */
export function unlessAllAway<Value>(found: OfReachable<Value>): OfReachable<Value> {
  if (found.lost !== null && found.values.size === 0) throw found.lost
  return found
}

/** Reads from servers that may be unavailable. */
export interface Patience {
  readonly ask: AskServer
  readonly away: ReadonlySet<ObservedServer>
  /** The error of the first server that was found unavailable; null if none was. */
  lost(): Error | null
}

/**
 * A server that fails or is too slow counts as unavailable from then on.
 * @param withinMs how long all reads of one server may take together; the time of other servers does not count
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

/** Only the queues that hold jobs. */
export function held(counts: ReadonlyMap<string, StateCounts>): Map<string, StateCounts> {
  return new Map([...counts].filter(([, { waiting, prioritized, delayed, active, waitingChildren = 0 }]) =>
    waiting + prioritized + delayed + active + waitingChildren > 0))
}

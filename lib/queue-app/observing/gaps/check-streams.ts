import { inTurns } from '../../../collections/in-turns.ts'
import type { SeenQueue } from '../../../engine/observing/discovery.ts'
import { CALLS_AT_ONCE, type ObservedServer, type ServerProcess, type StreamState } from '../../../engine/observing/observed-server.ts'
import { storeRefusalOf } from '../../../stores/failures/store-refusal.ts'
import { MINUTE_MS, SECOND_MS } from '../../../time/units.ts'
import { compareWithProcess, compareWithStream, type StreamPosition } from '../streams/stream-positions.ts'
import type { LastCounts } from './gap.ts'

/** What a server says about the event streams of some of its queues. */
export interface StreamsCheck {
  readonly at: number
  readonly process: ServerProcess | null
  /** Null: there is no stream. Streams whose state could not be read are left out: the response has events, which may be large. */
  readonly streams: ReadonlyMap<SeenQueue, StreamState | null>
  /** Why the server refuses to tell the state of a stream. */
  readonly refusals: ReadonlyMap<SeenQueue, string>
  /** Queues that could not be counted are left out. */
  readonly counts: ReadonlyMap<SeenQueue, LastCounts>
}

/** On PostgreSQL, counting takes up to a second. Busy streams are checked more often. */
const COUNTED_EVERY_MS = MINUTE_MS - 10 * SECOND_MS
const MAX_REASON = 200

/** @param at now, by the server's clock */
export async function checkStreams(
  server: ObservedServer, positions: ReadonlyMap<SeenQueue, StreamPosition>, at: number
): Promise<StreamsCheck> {
  // The clock of the server may have gone back.
  const isCounted = ({ had }: StreamPosition): boolean => had !== undefined && Math.abs(at - had.at) < COUNTED_EVERY_MS
  const due = [...positions].flatMap(([queue, position]) => isCounted(position) ? [] : [queue])
  const [process, counts, read] = await Promise.all([server.process?.(at) ?? null, countQueues(server, due, at), readStreams(positions)])
  return { at, process, counts, ...read }
}

async function countQueues(server: ObservedServer, queues: readonly SeenQueue[], at: number): Promise<ReadonlyMap<SeenQueue, LastCounts>> {
  if (queues.length === 0) return new Map()
  const found = await server.queues.counts(queues, at).catch(() => [])
  return new Map(queues.flatMap((queue, index) => {
    const counts = found[index]
    if (counts === undefined || counts instanceof Error) return []
    const { waiting, prioritized, delayed, waitingChildren = 0, active: running } = counts
    return [[queue, { waiting: waiting + prioritized + delayed + waitingChildren, running, schedules: null, at }] as const]
  }))
}

/** The time of a server, and how much its clock is ahead. */
export async function clockOf(server: Pick<ObservedServer, 'now'>): Promise<{ readonly at: number; readonly aheadMs: number }> {
  const at = await server.now()
  return { at, aheadMs: at - Date.now() }
}

/** The position of a queue after a check. */
export function afterCheck(queue: SeenQueue, known: StreamPosition, { at, process, streams, counts }: StreamsCheck): StreamPosition {
  const stream = streams.get(queue)
  if (stream === undefined) return known
  const isInCluster = queue.server.part !== ''
  const had = counts.get(queue) ?? known.had
  const compared = compareWithProcess(known, compareWithStream(known, stream, at), process, { at, isInCluster })
  return { ...compared, ...had !== undefined && { had } }
}

/** The queues whose servers have no stream of theirs any more. Those that cannot be read are left out. */
export async function withoutStreams(positions: ReadonlyMap<SeenQueue, StreamPosition>): Promise<SeenQueue[]> {
  return [...(await readStreams(positions)).streams].flatMap(([queue, stream]) => stream === null ? [queue] : [])
}

async function readStreams(positions: ReadonlyMap<SeenQueue, StreamPosition>): Promise<Pick<StreamsCheck, 'streams' | 'refusals'>> {
  const streams = new Map<SeenQueue, StreamState | null>()
  const refusals = new Map<SeenQueue, string>()
  await inTurns([...positions], async ([queue, { position }]) => {
    const { events } = queue.server
    try {
      streams.set(queue, await events.stream(queue, position))
    } catch (error) {
      if (events.isRefusal(error)) refusals.set(queue, storeRefusalOf(error)?.reason ?? (error as Error).message.slice(0, MAX_REASON))
    }
  }, CALLS_AT_ONCE)
  return { streams, refusals }
}

import { createTaskDashboardError } from '../../errors.ts'
import { failedCall } from '../../stores/failures/unavailable.ts'
import { budgetsOf, SERVER_PATIENCE_MS } from '../../time/budgets.ts'
import { decodeCursor, shortKey } from '../in-flight/in-flight-cursor.ts'
import { listInFlight } from '../in-flight/in-flight.ts'
import { START } from '../in-flight/in-flight-progress.ts'
import type { InFlightPage, InFlightQuery } from '../in-flight/in-flight-query.ts'
import type { StateCounts } from '../queues/queue-reads.ts'
import { selectNames } from '../queues/queue-selection.ts'
import type { ObservedQueue } from './observed-queue.ts'
import { createObservedQueueReads, createPatience, held, type AskServer, type OfReachable } from './observed-queue-reads.ts'
import type { ObservedServer } from './observed-server.ts'

const { callMs } = budgetsOf(SERVER_PATIENCE_MS)

/**
 * A page of the jobs of queues whose servers respond; see `Engine.inFlight`. Later pages are incomplete as well, even if the other servers
 * are back by then: their jobs that sort before the cursor are not shown any more.
 */
export async function inFlightOfReachable(
  queueOf: (taskName: string) => ObservedQueue | undefined, { values, lost, away }: OfReachable<StateCounts>, query: InFlightQuery,
  now: number
): Promise<InFlightPage> {
  const before = query.cursor === undefined ? START : decodeCursor(query.cursor)
  const lostKeys = new Set([...before.lost, ...away.map(keyOf)])
  const servers = new Set([...values.keys()].flatMap(name => queueOf(name)?.server ?? []))
  const patience = createPatience(callMs)
  const ask: AskServer = async (server, read, instead) => {
    const answer = await patience.ask(server, read, instead)
    // The next cursor contains these keys. It is created after all reads.
    for (const slow of patience.away) lostKeys.add(keyOf(slow))
    return answer
  }
  // A single server may use the time of the whole call, because without its response there is nothing to show.
  let refused: unknown = null
  const reads = createObservedQueueReads(
    queueOf, servers.size > 1 ? ask : (_server, read) => read(), error => { refused ??= failedCall(error, 'broker') }
  )
  const page = await listInFlight({ ...reads, counts: async () => held(values) }, selectNames([...values.keys()]), query, now, {
    position: { ...before, lost: lostKeys },
    wasAway(taskName) {
      const server = before.lost.size === 0 ? undefined : queueOf(taskName)?.server
      return server !== undefined && before.lost.has(keyOf(server))
    }
  })
  const slow = patience.lost()
  if (slow !== null && patience.away.size === servers.size) throw slow
  const why = lost ?? slow ?? refused as Error | null ?? (before.lost.size > 0 ? createTaskDashboardError('BROKER_UNAVAILABLE') : null)
  return why === null ? page : { ...page, lost: why }
}

function keyOf({ identity, part }: ObservedServer): string {
  return shortKey(`${identity}\n${part}`)
}

import { createTaskDashboardError } from '../../errors.ts'
import { decodeCursor, shortKey } from '../in-flight/in-flight-cursor.ts'
import { listInFlight } from '../in-flight/in-flight.ts'
import { START } from '../in-flight/in-flight-progress.ts'
import type { InFlightPage, InFlightQuery } from '../in-flight/in-flight-query.ts'
import type { StateCounts } from '../queues/queue-reads.ts'
import { selectNames } from '../queues/queue-selection.ts'
import type { ObservedQueue } from './observed-queue.ts'
import { held, type ObservedQueueReads, type OfReachable } from './observed-queue-reads.ts'
import type { ObservedServer } from './observed-server.ts'

/**
 * A page of the queues whose servers answer; see `Engine.inFlight`. The following pages lack something too, even if the other servers are
 * back: what these have before the cursor is not shown any more.
 */
export async function inFlightOfReachable(
  reads: ObservedQueueReads, queueOf: (taskName: string) => ObservedQueue | undefined, { values, lost, away }: OfReachable<StateCounts>,
  query: InFlightQuery, now: number
): Promise<InFlightPage> {
  const before = query.cursor === undefined ? START : decodeCursor(query.cursor)
  const page = await listInFlight({ ...reads, counts: async () => held(values) }, selectNames([...values.keys()]), query, now, {
    position: { ...before, lost: new Set([...before.lost, ...away.map(keyOf)]) },
    wasAway(taskName) {
      const server = before.lost.size === 0 ? undefined : queueOf(taskName)?.server
      return server !== undefined && before.lost.has(keyOf(server))
    }
  })
  const why = lost ?? (before.lost.size > 0 ? createTaskDashboardError('BROKER_UNAVAILABLE') : null)
  return why === null ? page : { ...page, lost: why }
}

function keyOf({ identity, part }: ObservedServer): string {
  return shortKey(`${identity}\n${part}`)
}

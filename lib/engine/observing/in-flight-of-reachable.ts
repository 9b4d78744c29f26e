import { createTaskDashboardError } from '../../errors.ts'
import { decodeCursor, encodeCursor } from '../in-flight/in-flight-cursor.ts'
import { listInFlight } from '../in-flight/in-flight.ts'
import type { InFlightPage, InFlightQuery } from '../in-flight/in-flight-query.ts'
import type { StateCounts } from '../queues/queue-reads.ts'
import { selectNames } from '../queues/queue-selection.ts'
import { held, type ObservedQueueReads, type OfReachable } from './observed-queue-reads.ts'

/** A cursor that begins with it continues a list that lacks something. No cursor of `listInFlight` does. */
const LACKS = '~'

/**
 * A page of the queues whose servers answer; see `Engine.inFlight`. The following pages lack something too, even if the other servers are
 * back: what these have before the cursor is not shown any more.
 */
export async function inFlightOfReachable(
  reads: ObservedQueueReads, { values, lost }: OfReachable<StateCounts>, query: InFlightQuery, now: number
): Promise<InFlightPage> {
  const { cursor, ...others } = query
  const lacked = cursor?.startsWith(LACKS) === true
  const page = await listInFlight({ ...reads, counts: async () => held(values) }, selectNames([...values.keys()]), {
    ...others, ...cursor !== undefined && { cursor: lacked ? beyondLost(cursor.slice(LACKS.length)) : cursor }
  }, now)
  const why = lost ?? (lacked ? createTaskDashboardError('BROKER_UNAVAILABLE') : null)
  if (why === null) return page
  const { next, after } = page
  return { ...page, next: next && LACKS + next, after: count => LACKS + after(count), lost: why }
}

/** The queues of a server that is back have no place in the cursor. They go on where the others are. */
function beyondLost(cursor: string): string {
  return encodeCursor({ ...decodeCursor(cursor), isCut: true })
}

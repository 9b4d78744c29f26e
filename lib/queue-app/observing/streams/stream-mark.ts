import { isBefore, type QueueEvent } from '../../../engine/observing/events/job-stories.ts'
import type { StreamState } from '../../../engine/observing/observed-server.ts'
import { afterEvents, afterGap, type StreamPosition } from './stream-positions.ts'

/**
 * What a comparison found in a stream that had unread events. It could not tell whether others were trimmed in front of those that were
 * read already. As soon as it is read up to here, the counts do tell. A busy stream never has all of its events read.
 */
export interface StreamMark {
  /** The last event at that time. */
  readonly id: string
  /** How many events had been added up to it. */
  readonly added: number
  /** The time of the comparison, by the server's clock. */
  readonly at: number
  /** Up to when no event was missing, as far as was known. */
  readonly sureUntil: number | undefined
}

/**
 * @param before the position before the comparison at `at`, and `compared` after it
 * @param last the previous mark, if the stream is not read up to it yet
 * @returns null if all events were read, or the server does not count them
 */
export function markOf(
  stream: StreamState | null, { before, compared, at }: { before: StreamPosition; compared: StreamPosition; at: number },
  last: StreamMark | null
): StreamMark | null {
  if (stream === null || stream.added === null || compared.sureUntil === at) return null
  const { sureUntil } = compared.gaps === before.gaps ? last ?? before : compared
  return { id: stream.lastId, added: stream.added, at, sureUntil }
}

/**
 * The position after new events were read, and what remains of the mark.
 * @param fresh the events after the position; at least one
 */
export function readOn(
  known: StreamPosition, fresh: readonly QueueEvent[], mark: StreamMark | null
): { readonly position: StreamPosition; readonly mark: StreamMark | null } {
  const { id: lastId } = fresh.at(-1)!
  const position = afterEvents(known, lastId, fresh.length)
  if (mark === null || isBefore(lastId, mark.id)) return { position, mark }
  const after = fresh.filter(({ id }) => isBefore(mark.id, id)).length
  const lost = mark.added + after - (position.counted ?? Infinity)
  // Fewer than were read: the stream is another one, which the next comparison finds.
  if (position.counted !== null && lost <= 0) return { position, mark: null }
  const counted = { ...position, counted: mark.added + after }
  const { sureUntil = known.sureUntil, at } = mark
  const since = { ...known, ...sureUntil !== undefined && { sureUntil } }
  return { position: afterGap(counted, since, { events: Math.max(lost, 0) }, at), mark: null }
}

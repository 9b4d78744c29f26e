import type { StreamState } from '../../engine/observing/observed-server.ts'
import { isBefore, timeOfEvent } from '../../engine/observing/events/job-stories.ts'

/** How far the events of a queue were read. Stored in the result backend. */
export interface StreamPosition {
  /** The id of the last event that was read. */
  readonly position: string
  /**
   * How many events had been added to the stream up to this position. Null if the server does not report it, or the position was never
   * compared.
   */
  readonly counted: number | null
  /** Events that were removed before they could be read, oldest first. */
  readonly gaps: readonly Gap[]
  /** Up to this time, by the server's clock, no event is missing apart from the gaps. Absent if nothing was compared. */
  readonly sureUntil?: number
  /** The position is not an event, but the time at which an unreadable event was skipped. */
  readonly isStepped?: true
  /** After a restart, events are read again from here, for the jobs that had begun and not ended. Absent if there were none. */
  readonly openFrom?: string
}

/** Milliseconds since the epoch, by the server's clock. */
export interface Gap {
  /** Null if the server does not count. */
  readonly events: number | null
  readonly from: number
  readonly to: number
}

export const NOT_BEGUN: StreamPosition = { position: '0-0', counted: null, gaps: [] }
const MAX_GAPS = 20

/**
 * The position for a queue that did not exist at a certain time: whatever its stream has lost since then is a gap.
 * @param at that time, by the server's clock
 */
function begunAfter(at: number): StreamPosition {
  return { ...NOT_BEGUN, counted: 0, sureUntil: at }
}

/**
 * Where the history of a queue begins. A queue that did not exist at `absentAt` has a new stream, all of whose events count. But if the
 * stream has an older event, the queue did exist and could not be read, or it was imported.
 * @param stored from an earlier process, or from before the queue was gone
 * @param stream null if there is none, undefined if it is not known
 * @param absentAt by the server's clock
 */
export function beginningOf(
  stored: StreamPosition | null, stream: StreamState | null | undefined, absentAt: number | undefined
): StreamPosition {
  const oldest = stream?.firstId ?? stream?.lastId
  const isNew = absentAt !== undefined && stream !== null && (oldest === undefined || timeOfEvent(oldest) >= absentAt)
  if (isNew && (stored === null || stream !== undefined)) return { ...begunAfter(absentAt), gaps: stored?.gaps ?? [] }
  return stored ?? NOT_BEGUN
}

/**
 * Compares a position with the state of the stream on the server, before more of the stream is read. Events that are no longer in the
 * stream and were not read are lost. Their number is exact, because the server counts every event ever added.
 * @param stream null if there is none
 * @param at when the state was read, by the server's clock
 */
export function compareWithStream(known: StreamPosition, stream: StreamState | null, at: number): StreamPosition {
  const compared = compareCounts(known, stream, at)
  if (compared.counted === null) return compared
  const isAllRead = stream === null || stream.length === 0 || !isBefore(compared.position, stream.lastId)
  if (isAllRead) return { ...compared, sureUntil: at }
  return compared.position === '0-0' ? compared : { ...compared, sureUntil: timeOfEvent(compared.position) }
}

function compareCounts(known: StreamPosition, stream: StreamState | null, at: number): StreamPosition {
  const isBegun = known.position !== '0-0'
  // The server was flushed, or the queue was obliterated. A stream that begins again counts from 0, and none of its events was read.
  if (stream === null) return { ...known, position: '0-0', counted: 0 }
  const { added, length, firstId, lastId, isRenumbered = false } = stream
  // The server lost its latest events, or its clock went back. Everything it still has is read again and compared with the history.
  if (isRenumbered || isBefore(lastId, known.position) && known.isStepped === undefined)
    return { ...known, position: '0-0', counted: added === null ? null : added - length }
  if (stream.isCut === true) return withGap({ ...known, counted: null }, null, at)
  if (added === null) return known.counted === null ? known : { ...known, counted: null }
  const isAllRead = !isBefore(known.position, lastId) || length === 0
  if (known.counted !== null && added < known.counted) {
    // The server lost its latest events and has received new ones since. The count is known again once all of them are read.
    if (firstId !== null && !isBefore(known.position, firstId)) return { ...known, counted: isAllRead ? added : null }
    // A new stream, all of whose events come after the position. The events that it has already trimmed were never seen.
    return withGap({ ...known, counted: added - length }, added - length, at)
  }
  if (known.counted === null) {
    // The first comparison. The history begins here, so what was trimmed before is not a gap.
    return isBegun ? { ...known, counted: isAllRead ? added : null } : { ...known, counted: added - length }
  }
  const readable = isAllRead ? added : added - length
  const lost = readable - known.counted
  if (lost <= 0) return known
  return withGap({ ...known, position: length === 0 ? lastId : known.position, counted: readable }, lost, at)
}

/**
 * Skips the next event, which could not be read, and all other events added until now. The next comparison tells how many that was, if the
 * server counts them.
 * @param at now, by the server's clock
 */
export function stepPast(known: StreamPosition, at: number): StreamPosition {
  const stepped: StreamPosition = { ...known, position: `${at}-0`, isStepped: true }
  return known.counted === null ? withGap(stepped, null, at) : stepped
}

function withGap(position: StreamPosition, events: number | null, to: number): StreamPosition {
  if (events === 0) return position
  const { position: id, sureUntil = id === '0-0' ? to : Math.min(timeOfEvent(id), to), gaps } = position
  return { ...position, gaps: [...gaps, { events, from: sureUntil, to }].slice(-MAX_GAPS) }
}

export function afterEvents(known: StreamPosition, lastId: string, events: number): StreamPosition {
  const { isStepped: _before, ...others } = known
  return { ...others, position: lastId, counted: known.counted === null ? null : known.counted + events }
}

/** The last gap, as a sentence without a full stop. */
export function sayGap(taskName: string, { gaps }: StreamPosition): string {
  const { events, from, to } = gaps.at(-1)!
  return `${events ?? 'An unknown number of'} events of the queue ${taskName} were removed before they could be read, between ` +
    `${new Date(from).toISOString()} and ${new Date(to).toISOString()}: executions that finished then may be missing`
}

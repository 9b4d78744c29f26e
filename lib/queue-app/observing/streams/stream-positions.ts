import type { ServerProcess, StreamState } from '../../../engine/observing/observed-server.ts'
import { isBefore, timeOfEvent } from '../../../engine/observing/events/job-stories.ts'
import { withGap, type Gap, type GapCause, type LastCounts } from '../gaps/gap.ts'
import { OLD_PRIMARY_LASTS_MS, toKnownProcess, wasReplaced, type KnownProcess } from '../gaps/replaced-server.ts'

/** How far the events of a queue were read. Stored in the result backend. */
export interface StreamPosition {
  /** The id of the last event that was read. */
  readonly position: string
  /**
   * How many events had been added to the stream up to this position. Null if the server does not report it, or the position was never
   * compared.
   */
  readonly counted: number | null
  /** Events that could not be read, oldest first. */
  readonly gaps: readonly Gap[]
  /**
   * Up to this time, by the server's clock, no event is missing apart from the gaps, as far as the server tells. Absent if nothing was
   * compared.
   */
  readonly sureUntil?: number
  /** The position is not an event, but the time at which an unreadable event was skipped. */
  readonly isStepped?: true
  /** After a restart, events are read again from here, for the jobs that had begun and not ended. Absent if there were none. */
  readonly openFrom?: string
  /** Absent if the server does not tell. */
  readonly process?: KnownProcess
  /** Absent if it could not be read. */
  readonly had?: LastCounts
}

export const NOT_BEGUN: StreamPosition = { position: '0-0', counted: null, gaps: [] }

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
  if (isNew && (stored === null || stream !== undefined))
    return { ...begunAfter(absentAt), gaps: stored === null ? [] : compareWithStream(stored, null, absentAt).gaps }
  return stored ?? NOT_BEGUN
}

/**
 * Compares a position with the state of the stream on the server, before more of the stream is read. Events that are no longer in the
 * stream and were not read are lost. Their number is exact if the server still has the same stream, because it counts every event ever
 * added. What an earlier stream had is not known.
 * @param stream null if there is none
 * @param at when the state was read, by the server's clock
 */
export function compareWithStream(known: StreamPosition, stream: StreamState | null, at: number): StreamPosition {
  const compared = compareCounts(known, stream, at)
  const isAllRead = stream === null || stream.length === 0 || !isBefore(compared.position, stream.lastId)
  if (isAllRead) return { ...compared, sureUntil: at }
  if (compared.position !== '0-0') return { ...compared, sureUntil: timeOfEvent(compared.position) }
  // What the stream has is still to be read.
  return { ...compared, sureUntil: compared.sureUntil ?? timeOfEvent(stream.firstId ?? stream.lastId) }
}

function compareCounts(known: StreamPosition, stream: StreamState | null, at: number): StreamPosition {
  const isBegun = known.position !== '0-0'
  // The server was flushed, or the queue was obliterated. A stream that begins again counts from 0, and none of its events was read.
  if (stream === null) {
    const next: StreamPosition = { ...known, position: '0-0', counted: 0 }
    return isBegun || (known.counted ?? 0) > 0 ? afterGap(next, known, { events: null, cause: 'emptied' }, at) : next
  }
  const { added, length, firstId, lastId, isRenumbered = false } = stream
  // The server lost its latest events, or its clock went back. Everything it still has is read again and compared with the history.
  if (isRenumbered || isBefore(lastId, known.position) && known.isStepped === undefined) {
    const next: StreamPosition = { ...known, position: '0-0', counted: added === null ? null : added - length }
    return afterGap(next, known, { events: null, cause: 'went back' }, at)
  }
  if (stream.isEmptied === true) return afterGap({ ...known, counted: null }, known, { events: null, cause: 'emptied' }, at)
  if (stream.isCut === true) return afterGap({ ...known, counted: null }, known, { events: null }, at)
  if (added === null) return known.counted === null ? known : { ...known, counted: null }
  const isAllRead = !isBefore(known.position, lastId) || length === 0
  // Events that were read, or that followed them, are still in the stream. So it is the same stream, or all of it was read already.
  const isShared = firstId !== null && !isBefore(known.position, firstId)
  if (known.counted !== null && added < known.counted && isShared) {
    // Either the server lost its latest events and has received new ones since, or the stream is new and its first events were read. The
    // count is known again once all of them are read.
    const isNew = added === length && timeOfEvent(firstId) >= (known.sureUntil ?? Infinity)
    const next = { ...known, counted: isAllRead ? added : null }
    return afterGap(next, known, { events: null, cause: isNew ? 'emptied' : 'went back' }, at)
  }
  // A new stream, all of whose events come after the position: the same stream would have lost at least all events up to the position.
  if (known.counted !== null && isBegun && (added < known.counted || !isShared && length > 0 && added - length < known.counted))
    return afterGap({ ...known, counted: added - length }, known, { events: null, cause: 'emptied' }, at)
  if (known.counted === null) {
    // The first comparison. The history begins here, so what was trimmed before is not a gap.
    return isBegun ? { ...known, counted: isAllRead ? added : null } : { ...known, counted: added - length }
  }
  const readable = isAllRead ? added : added - length
  const lost = readable - known.counted
  if (lost <= 0) return known
  return afterGap({ ...known, position: length === 0 ? lastId : known.position, counted: readable }, known, { events: lost }, at)
}

/**
 * Notes which process of the server has answered. If another server has taken over, its stream may be complete, but what other clients did
 * on the old one in between is lost.
 * @param compared what `compareWithStream` returned
 */
export function compareWithProcess(
  known: StreamPosition, compared: StreamPosition, now: ServerProcess | null, { at, isInCluster }: { at: number; isInCluster: boolean }
): StreamPosition {
  const process = toKnownProcess(known.process, now, at)
  const next: StreamPosition = process === undefined ? compared : { ...compared, process }
  if (!wasReplaced(known.process, now, isInCluster)) return next
  // A replica that lacked the latest events explains why the stream went back.
  const others = { ...next, gaps: next.gaps.filter(gap => gap.events !== null || known.gaps.includes(gap)) }
  return afterGap(others, known, { events: null, cause: 'replaced' }, at + OLD_PRIMARY_LASTS_MS)
}

/**
 * Skips the next event, which could not be read, and all other events added until now. The next comparison tells how many that was, if the
 * server counts them.
 * @param at now, by the server's clock
 */
export function stepPast(known: StreamPosition, at: number): StreamPosition {
  const stepped: StreamPosition = { ...known, position: `${at}-0`, isStepped: true }
  return known.counted === null ? afterGap(stepped, stepped, { events: null }, at) : stepped
}

/** @param known the position before: the gap begins when nothing was missing yet */
export function afterGap(
  next: StreamPosition, known: StreamPosition, { events, cause }: { readonly events: number | null; readonly cause?: GapCause }, to: number
): StreamPosition {
  if (events === 0) return next
  const { position: id, sureUntil = id === '0-0' ? to : timeOfEvent(id), had } = known
  const gap: Gap = {
    events, from: Math.min(sureUntil, to), to, ...cause && { cause }, ...cause === 'emptied' && had !== undefined && { had }
  }
  return { ...next, gaps: withGap(next.gaps, gap) }
}

export function afterEvents(known: StreamPosition, lastId: string, events: number): StreamPosition {
  const { isStepped: _before, ...others } = known
  return { ...others, position: lastId, counted: known.counted === null ? null : known.counted + events }
}

/** A stream that is gone may come back from a backup, with events that are already recorded. */
export function recordedUntil(stream: StreamState | null | undefined, at: number): number {
  return stream ? timeOfEvent(stream.lastId) : at
}

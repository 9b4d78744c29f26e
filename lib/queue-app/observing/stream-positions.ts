import type { StreamState } from '../../engine/observing/events/read-events.ts'
import { timeOfEvent } from '../../engine/observing/events/job-stories.ts'

/** How far the events of a queue were read. Stored in the result backend. */
export interface StreamPosition {
  /** The id of the last event that was read. */
  readonly position: string
  /** How many events were added to the stream up to it; null if the server does not tell, or it was never compared. */
  readonly counted: number | null
  /** Events that were trimmed before they could be read, oldest first. */
  readonly gaps: readonly Gap[]
  /** Jobs that had begun and not ended: from here on, their events are read again after a restart. Absent if there were none. */
  readonly openFrom?: string
}

/** Milliseconds since the epoch, by the server's clock. */
export interface Gap { readonly events: number; readonly from: number; readonly to: number }

export const NOT_BEGUN: StreamPosition = { position: '0-0', counted: null, gaps: [] }
const MAX_GAPS = 20

export function isBefore(one: string, other: string): boolean {
  const [ms = 0, sequence = 0] = one.split('-').map(Number)
  const [otherMs = 0, otherSequence = 0] = other.split('-').map(Number)
  return ms < otherMs || ms === otherMs && sequence < otherSequence
}

/**
 * Compares a position with what the server tells of the stream, before more of it is read. All events that are not in the stream any more
 * and were not read are lost; how many is exact, because the server counts what it ever added.
 * @param stream null if there is none
 * @param at when it was asked, by the server's clock
 */
export function compareWithStream(known: StreamPosition, stream: StreamState | null, at: number): StreamPosition {
  // Flushed, or the queue was obliterated: a stream that begins again counts from 0, and none of its events was read.
  if (stream === null || isBefore(stream.lastId, known.position)) {
    return known.position === '0-0' ? known : { ...known, position: '0-0', counted: null }
  }
  const { added, length, lastId } = stream
  if (added === null) return known
  // It counts from 0 again, and has become longer than what was read: everything that it lost meanwhile was never seen.
  if (known.counted !== null && added < known.counted) {
    const trimmed = added - length
    const gap = { events: trimmed, from: timeOfEvent(known.position), to: at }
    return { position: '0-0', counted: trimmed, gaps: trimmed === 0 ? known.gaps : [...known.gaps, gap].slice(-MAX_GAPS) }
  }
  const isAllRead = lastId === known.position || length === 0
  const readable = isAllRead ? added : added - length
  if (known.counted === null) {
    // The first look: what was trimmed before is not a gap of this history, which begins here.
    return known.position === '0-0' ? { ...known, counted: added - length } : isAllRead ? { ...known, counted: added } : known
  }
  const lost = readable - known.counted
  if (lost <= 0) return known
  const from = known.position === '0-0' ? at : timeOfEvent(known.position)
  return {
    position: length === 0 ? lastId : known.position,
    counted: readable,
    gaps: [...known.gaps, { events: lost, from, to: at }].slice(-MAX_GAPS)
  }
}

export function afterEvents(known: StreamPosition, lastId: string, events: number): StreamPosition {
  return { ...known, position: lastId, counted: known.counted === null ? null : known.counted + events }
}

/** The last gap, as a sentence without a full stop. */
export function sayGap(taskName: string, { gaps }: StreamPosition): string {
  const { events, from, to } = gaps.at(-1)!
  return `${events} events of the queue ${taskName} were removed before they could be read, between ${new Date(from).toISOString()} and ` +
    `${new Date(to).toISOString()}: executions that finished then may be missing`
}

import { SECOND_MS } from '../../../time/units.ts'

/** How soon the streams are read again. */
export interface ReadingPace {
  /** How long to wait before the next read so that no stream trims unread events. Estimated from the events taken since the last pause. */
  pauseMs(round: ReadRound): number
}

/** One round of reading all streams and recording what they reported. */
export interface ReadRound {
  /** Whether more events are waiting. */
  readonly isMore: boolean
  readonly tookMs: number
}

/** What the pace depends on. */
export interface PacedStream {
  /** Since the last pause. */
  eventsTaken: number
  /** How many events the stream keeps; 0 if unknown. */
  readonly maxLength: number
}

/** The normal pause: how soon new events show up. */
const SHORTEST_PAUSE_MS = 250
/** The pause while there are very many events: reading and recording them less often takes much less processor time. */
const LONGEST_PAUSE_MS = SECOND_MS
const BUSY_FROM_EVENTS = 1_000
/**
 * What arrived during a pause is read in parts. After each part, this process rests this many times as long as the part took. Otherwise it
 * would keep a core busy all the time, and workers on the same machine would pick up their jobs later.
 */
const REST_FACTOR = 2
/** After this many rests in a row there is a backlog, which is read without resting. */
const MAX_RESTS = 20
/** During a pause, a stream may receive at most this share of the events that it keeps. */
const SHARE_PER_PAUSE = 1 / 4
/** A stream that keeps fewer events could overflow before the next read, even if it was quiet until then. BullMQ's default is 10,000. */
const MIN_LENGTH_TO_PAUSE = 5_000

export function createReadingPace(streams: () => Iterable<PacedStream>): ReadingPace {
  let rests = 0
  let pausedAt = performance.now()

  /** How long the streams can be left unread without losing events, estimated from the events taken since the last pause. */
  function leftAloneMs(): number {
    const sinceMs = performance.now() - pausedAt
    let longest = LONGEST_PAUSE_MS
    for (const { maxLength, eventsTaken } of streams()) {
      if (maxLength < MIN_LENGTH_TO_PAUSE) longest = 0
      if (eventsTaken > 0) longest = Math.min(longest, maxLength * SHARE_PER_PAUSE / eventsTaken * sinceMs)
    }
    return longest
  }

  return {
    pauseMs({ isMore, tookMs }) {
      const roomMs = leftAloneMs()
      if (isMore) return rests++ < MAX_RESTS ? Math.min(REST_FACTOR * tookMs, roomMs / MAX_RESTS) : 0
      rests = 0
      pausedAt = performance.now()
      let sum = 0
      for (const stream of streams()) {
        sum += stream.eventsTaken
        stream.eventsTaken = 0
      }
      return sum < BUSY_FROM_EVENTS ? SHORTEST_PAUSE_MS : Math.max(roomMs, SHORTEST_PAUSE_MS)
    }
  }
}

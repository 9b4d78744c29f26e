/** Events of a queue that could not be read. Times are in milliseconds since the epoch, by the server's clock. */
export interface Gap {
  /** Null if their number is unknown. */
  readonly events: number | null
  readonly from: number
  readonly to: number
  /** Absent: BullMQ removed them because the stream was full, or this process skipped them. */
  readonly cause?: GapCause
  /** What the queue had when it was last checked. Only if it was emptied. */
  readonly had?: LastCounts
}

/**
 * `emptied`: the queue was removed or the server was flushed. `went back`: the server lost events that were read, so it may have lost
 * others as well. `replaced`: another server has taken over.
 */
export type GapCause = 'emptied' | 'went back' | 'replaced'

/** What a queue had when it was last checked. Null: not known. */
export interface LastCounts {
  /** Jobs that had not started. */
  readonly waiting: number | null
  readonly running: number | null
  readonly schedules: number | null
  /** By the server's clock. */
  readonly at: number
}

const MAX_GAPS = 20

/** Adds a gap. One that repeats the last gap with a later end replaces it. */
export function withGap(gaps: readonly Gap[], gap: Gap): readonly Gap[] {
  const last = gaps.at(-1)
  const isSame = last !== undefined && gap.events === null && last.events === null && last.from === gap.from && last.cause === gap.cause
  return [...isSame ? gaps.slice(0, -1) : gaps, gap].slice(-MAX_GAPS)
}

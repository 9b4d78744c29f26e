/** Clocks that differ by less count as equal, because the header has whole seconds and a request takes time. */
const NOTED_FROM_MS = 5_000
/** How many converted times are kept. A page never shows more responses than this. */
const MAX_TIMES_KEPT = 500

let offsetMs = 0
let looked = { at: Date.now(), elapsed: performance.now() }

/** The time of the server that made the data; the reader's own clock may be wrong by hours. Milliseconds since the epoch. */
export function currentTime(): number {
  return Date.now() + offsetMs
}

/** Server times by the time of the reader's clock. A time that was converted once stays the same, even if that clock is changed later. */
const converted = new Map<number, number>()

/** Converts a time of the reader's own clock to the server's. Call it soon after that time. */
export function toServerTime(at: number): number {
  const serverTime = converted.get(at) ?? at + offsetMs
  // A time that is shown is converted repeatedly, so it is never the oldest.
  converted.delete(at)
  converted.set(at, serverTime)
  if (converted.size > MAX_TIMES_KEPT) converted.delete(converted.keys().next().value!)
  return serverTime
}

/** @param date the header of a response; null if something in between removed it */
export function noteServerTime(date: string | null, sentAt: number, receivedAt: number): void {
  const at = date === null ? NaN : Date.parse(date)
  if (Number.isNaN(at)) return
  const offset = at + 500 - (sentAt + receivedAt) / 2
  offsetMs = Math.abs(offset) < NOTED_FROM_MS + (receivedAt - sentAt) / 2 ? 0 : offset
}

/**
 * Whether the reader's clock has jumped since the last call, because someone changed it or the machine slept. Then only a response of the
 * server tells the time. A clock never goes back by itself, so a jump backwards is corrected at once.
 * @param elapsed the time of a clock that no one can change, such as `performance.now()`
 */
export function hasClockJumped(at = Date.now(), elapsed = performance.now()): boolean {
  const jumpMs = (at - looked.at) - (elapsed - looked.elapsed)
  looked = { at, elapsed }
  if (Math.abs(jumpMs) < NOTED_FROM_MS) return false
  if (jumpMs < 0) offsetMs -= jumpMs
  return true
}

/** Clocks that differ by less are the same: the header has whole seconds, and a request takes its time. */
const NOTED_FROM_MS = 5_000
/** Of more answers than this, none is still shown. */
const KEPT_TIMES = 500

let offsetMs = 0
let looked = { at: Date.now(), elapsed: performance.now() }

/** The time of the server that made the data; the reader's own clock may be wrong by hours. Milliseconds since the epoch. */
export function currentTime(): number {
  return Date.now() + offsetMs
}

/** By when the reader's clock had them. What was converted once stays, though that clock is set meanwhile. */
const converted = new Map<number, number>()

/** A time of the reader's own clock, as the server's would have shown it. Called soon after that time. */
export function toServerTime(at: number): number {
  const serverTime = converted.get(at) ?? at + offsetMs
  // What is shown is asked for again and again, and so is never the oldest.
  converted.delete(at)
  converted.set(at, serverTime)
  if (converted.size > KEPT_TIMES) converted.delete(converted.keys().next().value!)
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
 * Whether the reader's clock has jumped since the last call: somebody set it, or the machine slept. Only an answer of the server tells how
 * late it is then. A clock never goes back by itself, so a jump backwards is made good at once.
 * @param elapsed of a clock that nobody sets, such as `performance.now()`
 */
export function hasClockJumped(at = Date.now(), elapsed = performance.now()): boolean {
  const jumpMs = (at - looked.at) - (elapsed - looked.elapsed)
  looked = { at, elapsed }
  if (Math.abs(jumpMs) < NOTED_FROM_MS) return false
  if (jumpMs < 0) offsetMs -= jumpMs
  return true
}

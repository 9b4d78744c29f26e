/** Clocks that differ by less are the same: the header has whole seconds, and a request takes its time. */
const NOTED_FROM_MS = 5_000

let offsetMs = 0

/** The time of the server that made the data; the reader's own clock may be wrong by hours. Milliseconds since the epoch. */
export function currentTime(): number {
  return Date.now() + offsetMs
}

/** A time of the reader's own clock, as the server's would have shown it. */
export function toServerTime(at: number): number {
  return at + offsetMs
}

/** @param date the header of a response; null if something in between removed it */
export function noteServerTime(date: string | null, sentAt: number, receivedAt: number): void {
  const at = date === null ? NaN : Date.parse(date)
  if (Number.isNaN(at)) return
  const offset = at + 500 - (sentAt + receivedAt) / 2
  offsetMs = Math.abs(offset) < NOTED_FROM_MS + (receivedAt - sentAt) / 2 ? 0 : offset
}

/**
 * Passes an error on once in `quietMs` for each message: a lost broker says the same many times a second, and must not fill the disk.
 * By a clock that only goes forward: one that is put back would silence it.
 */
export function limitRepeats(report: (error: Error) => void, quietMs: number): (error: Error) => void {
  const lastAt = new Map<string, number>()
  return error => {
    const at = performance.now()
    const message = error instanceof Error ? error.message : String(error)
    if (at - (lastAt.get(message) ?? -Infinity) < quietMs) return
    if (lastAt.size >= MAX_MESSAGES) lastAt.clear()
    lastAt.set(message, at)
    report(error)
  }
}

/** Messages that carry an id or a time are never the same: beyond this many it begins anew. */
const MAX_MESSAGES = 100

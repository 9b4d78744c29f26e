/**
 * Reports each message at most once per `quietMs`. Without a broker, the same error occurs many times a second and must not fill the disk.
 * Uses a monotonic clock, because setting the wall clock back would suppress messages for too long.
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

/** Messages that contain an id or a time never repeat. Beyond this many messages, it starts over. */
const MAX_MESSAGES = 100

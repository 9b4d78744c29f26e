const QUIET_MS = 10_000
const MAX_MESSAGES = 100

/** Passes an error on once in ten seconds for each message: a lost broker says the same many times a second. */
export function limitRepeats(report: (error: Error) => void): (error: Error) => void {
  const lastAt = new Map<string, number>()
  return error => {
    const now = Date.now()
    const message = error instanceof Error ? error.message : String(error)
    if (now - (lastAt.get(message) ?? 0) < QUIET_MS) return
    if (lastAt.size >= MAX_MESSAGES) lastAt.clear()
    lastAt.set(message, now)
    report(error)
  }
}

import { isTaskDashboardError } from '../errors.ts'
import { SECOND_MS } from '../time/units.ts'

const MAX_ATTEMPTS = 3
/** Drivers wait at least this long for a connection. */
const BLOCKED_AFTER_MS = SECOND_MS
const CHECKED_EVERY_MS = 100

/**
 * Opens a store. If that fails while this process is blocked, such as by modules that a host loads when it starts, it is tried again, up to
 * three times in all: the timers of a driver fire then before the driver sees that it is connected.
 * @param isStopped whether the store has been stopped in the meantime
 */
export async function openStore<Opened>(open: () => Promise<Opened>, isStopped: () => boolean): Promise<Opened> {
  for (let attempts = 1; ; attempts++) {
    const watch = watchBlocking()
    try {
      return await open()
    } catch (error) {
      const isUnreachable = isTaskDashboardError(error) && error.code === 'STORE_UNREACHABLE'
      const wasBlocked = watch.longestMs() >= BLOCKED_AFTER_MS
      if (attempts === MAX_ATTEMPTS || !isUnreachable || !wasBlocked || isStopped()) throw error
    } finally {
      watch.stop()
    }
  }
}

function watchBlocking(): { longestMs(): number, stop(): void } {
  let longest = 0
  let seenAt = performance.now()
  const see = (): number => {
    const now = performance.now()
    longest = Math.max(longest, now - seenAt - CHECKED_EVERY_MS)
    seenAt = now
    return longest
  }
  const timer = setInterval(see, CHECKED_EVERY_MS)
  return { longestMs: see, stop() { clearInterval(timer) } }
}

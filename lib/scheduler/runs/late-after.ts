/** A run that starts later than this after it was due is late. One that no worker has taken by then is overdue. */
export const LATE_AFTER_MS = 30_000

/**
 * If the clock of a process differs from the broker's by more than this, health reports it, and the process does not plan next runs again.
 * It would count runs as late that are not.
 */
export const MAX_CLOCK_SKEW_MS = LATE_AFTER_MS

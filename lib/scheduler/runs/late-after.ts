/** A run that starts later than this after it was due is late. One that nobody has taken by then is overdue. */
export const LATE_AFTER_MS = 30_000

/**
 * A clock further off than this from the broker's is reported by health, and its process plans nothing again. It would count runs as late
 * that are not.
 */
export const MAX_CLOCK_SKEW_MS = LATE_AFTER_MS

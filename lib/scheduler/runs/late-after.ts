/** A run that starts later than this after it was due is late, and one that nobody took until then is overdue. */
export const LATE_AFTER_MS = 30_000

/** A clock further off than this from the broker's is named by health, and plans nothing anew. It would call runs late that are not. */
export const MAX_CLOCK_SKEW_MS = LATE_AFTER_MS

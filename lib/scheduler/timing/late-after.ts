/** A run that starts later than this after it was due is late, and one that nobody took until then is overdue. */
export const LATE_AFTER_MS = 30_000

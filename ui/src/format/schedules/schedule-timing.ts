import type { Schedule } from '../../../../schemas/index.ts'
import { currentTime } from '../time/clock.ts'

/**
 * The time from which to request the next runs, RFC 3339; null means now. An interval counts from its own start, which the API does not
 * return, so one interval before its next run is used instead. For a cron expression with jitter it is now, because its next run is not one
 * of the instants of the expression.
 */
export function anchorOf(
  { next_run_at: next, interval_ms: intervalMs, jitter_ms: jitterMs, start_at: start }: Schedule, now = currentTime()
): string | null {
  if (intervalMs !== null && next !== null) return new Date(Date.parse(next) - intervalMs).toISOString()
  if (start !== null && Date.parse(start) > now) return new Date(Date.parse(start) - 1).toISOString()
  return next === null || jitterMs > 0 ? null : new Date(Date.parse(next) - 1).toISOString()
}

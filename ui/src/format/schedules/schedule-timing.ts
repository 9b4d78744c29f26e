import type { Schedule } from '../../../../schemas/index.ts'
import { currentTime } from '../time/clock.ts'

/**
 * From where to ask for the next runs, RFC 3339; null is now. An interval counts from its own start, which the wire does not
 * have: one interval before its next run stands for it. A cron expression with jitter is asked from now, since its next run is
 * not one of its instants.
 */
export function anchorOf(
  { next_run_at: next, interval_ms: intervalMs, jitter_ms: jitterMs, start_at: start }: Schedule, now = currentTime()
): string | null {
  if (intervalMs !== null && next !== null) return new Date(Date.parse(next) - intervalMs).toISOString()
  if (start !== null && Date.parse(start) > now) return new Date(Date.parse(start) - 1).toISOString()
  return next === null || jitterMs > 0 ? null : new Date(Date.parse(next) - 1).toISOString()
}

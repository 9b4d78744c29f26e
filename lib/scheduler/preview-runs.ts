import { checkRunsAsked, checkTiming } from './definitions/schedule-input.ts'
import type { SchedulePreviewResult, ScheduleTiming } from './schedules.ts'
import { describeTiming } from './timing/describe-timing.ts'
import { nextRuns } from './timing/next-runs.ts'

/**
 * See `Schedules.preview`.
 * @throws INVALID_CRON, INVALID_SCHEDULE
 */
export function previewRuns(timing: ScheduleTiming, from: number, count: number): SchedulePreviewResult {
  checkTiming(timing)
  checkRunsAsked(from, count)
  return { description: describeTiming(timing), timezone: timing.timezone, runs: nextRuns(timing, from, count) }
}

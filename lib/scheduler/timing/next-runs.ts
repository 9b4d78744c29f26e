import type { RunNote } from '../../../schemas/schedule.ts'
import { offsetAt } from '../../time/zone-offset.ts'
import { nextCronRuns, parseCron, type Cron } from './cron.ts'
import type { PlannedRun, ScheduleTiming } from '../schedules.ts'
import { checkTimezone, isLocalTimeTwice, toLocalTime, toOffsetText } from './time-zone.ts'

/**
 * The next runs after `from`. An interval counts from its anchor: it runs at `anchorAt` + 1, 2, … intervals.
 * @param from milliseconds since the epoch, exclusive
 * @param anchorAt milliseconds since the epoch, default `from`
 * @throws INVALID_CRON, INVALID_SCHEDULE
 */
export function nextRuns(timing: ScheduleTiming, from: number, count: number, anchorAt: number = from): PlannedRun[] {
  if (!('cron' in timing)) {
    checkTimezone(timing.timezone)
    return nextIntervalRuns(timing.intervalMs, anchorAt, from, count).map(at => toPlannedRun(timing.timezone, at, null))
  }
  const cron = parseCron(timing.cron, timing.timezone)
  return nextCronRuns(cron, from, count).map(at => toPlannedRun(timing.timezone, at, cron))
}

export function nextIntervalRuns(intervalMs: number, anchorAt: number, from: number, count: number): number[] {
  const first = Math.max(1, Math.floor((from - anchorAt) / intervalMs) + 1)
  return Array.from({ length: count }, (_, index) => anchorAt + (first + index) * intervalMs)
}

/** @param cron null: there is no note about clock changes */
export function toPlannedRun(timezone: string, at: number, cron: Cron | null): PlannedRun {
  const offset = offsetAt(timezone, at)
  return { at, local: toLocalTime(at, offset), offset: toOffsetText(offset), note: cron && noteOf(cron, at, offset) }
}

function noteOf(cron: Cron, at: number, offset: number): RunNote | null {
  const local = new Date(at + offset)
  const isAsWritten = cron.minute.values.includes(local.getUTCMinutes()) && cron.hour.values.includes(local.getUTCHours())
  if (!isAsWritten) return 'dst_gap'
  return isLocalTimeTwice(cron.timezone, at, offset) ? 'dst_overlap' : null
}

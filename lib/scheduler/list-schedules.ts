import type { ScheduleCounts, ScheduleQuery, ScheduleRecord } from './schedules.ts'

type Matched = Pick<ScheduleRecord, 'scheduleId' | 'taskName' | 'cron' | 'description' | 'enabled'>
type Place = Pick<ScheduleRecord, 'createdAt' | 'scheduleId'>

export function isWanted({ scheduleId, taskName, cron, description, enabled }: Matched, query: ScheduleQuery): boolean {
  const { enabledOnly, taskName: wanted, isOfTask, search } = query
  if (enabledOnly && !enabled || wanted !== undefined && taskName !== wanted || isOfTask?.(taskName) === false) return false
  if (search === undefined) return true
  const sought = search.toLowerCase()
  return [scheduleId, taskName, cron, description].some(text => text?.toLowerCase().includes(sought))
}

/** In the order of creation, then id. */
export function isAfter({ createdAt, scheduleId }: Place, after: Place): boolean {
  return createdAt > after.createdAt || createdAt === after.createdAt && scheduleId > after.scheduleId
}

/** Schedules without a next run are last. */
export function bySoonest({ nextRunAt: one }: ScheduleRecord, { nextRunAt: other }: ScheduleRecord): number {
  return one === other ? 0 : (one ?? Infinity) - (other ?? Infinity)
}

export function countByTask(schedules: ReadonlyArray<Pick<ScheduleRecord, 'taskName'>>): ScheduleCounts['ofTask'] {
  const byTask = new Map<string, number>()
  for (const { taskName } of schedules) byTask.set(taskName, (byTask.get(taskName) ?? 0) + 1)
  return taskName => byTask.get(taskName) ?? 0
}

export function countSchedules(records: readonly ScheduleRecord[]): ScheduleCounts {
  return {
    total: records.length, enabled: records.filter(({ enabled }) => enabled).length,
    overdue: records.filter(({ overdue }) => overdue).length, ofTask: countByTask(records)
  }
}

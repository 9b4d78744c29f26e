import type { Schedule } from '../../../../schemas/index.ts'

/** The name a person would use for a schedule. */
export function scheduleTitle(schedule: Pick<Schedule, 'description' | 'task_name'>): string {
  return schedule.description?.trim() || schedule.task_name
}

import type { Schedule } from '../../../../schemas/index.ts'
import { sortedBy, type Sorting } from '../lists/sorting.ts'
import { scheduleTitle } from './schedule-title.ts'

/** The filters of the list of schedules. The server has no such filters, so the whole list is needed. */
export const SCHEDULE_FILTERS = [
  { name: 'missed', includes: ({ stats }: Schedule) => (stats.missed ?? 0) > 0 },
  { name: 'failing', includes: ({ last_status: last }: Schedule) => last === 'failed' },
  { name: 'overdue', includes: ({ overdue }: Schedule) => overdue },
  { name: 'edited', includes: ({ drift }: Schedule) => drift !== null }
] as const
export type ScheduleFilterName = (typeof SCHEDULE_FILTERS)[number]['name']

export function readScheduleFilter(text: string | null): ScheduleFilterName | null {
  return SCHEDULE_FILTERS.find(({ name }) => name === text)?.name ?? null
}

interface Count { readonly value: number; readonly relation: 'exact' | 'at_least' }

/**
 * How many schedules each filter leaves; at least this many if the list was cut.
 * @param overdue as the server counts them; undefined if it does not
 */
export function countSchedules(
  { schedules, isCut }: { readonly schedules: readonly Schedule[]; readonly isCut: boolean }, overdue: number | undefined
): Readonly<Record<ScheduleFilterName, Count>> {
  const counted = SCHEDULE_FILTERS.map(({ name, includes }) =>
    [name, { value: schedules.filter(includes).length, relation: isCut ? 'at_least' : 'exact' }])
  return {
    ...Object.fromEntries(counted) as Record<ScheduleFilterName, Count>,
    ...overdue !== undefined && { overdue: { value: overdue, relation: 'exact' } }
  }
}

const VALUES: Readonly<Record<string, (schedule: Schedule) => string | number | null>> = {
  task: scheduleTitle,
  next: ({ enabled, next_run_at: at }) => (enabled && at !== null ? Date.parse(at) : null),
  last: ({ last_run_at: at }) => (at === null ? null : Date.parse(at)),
  runs: ({ stats }) => stats.runs,
  success: ({ stats: { success, failed } }) =>
    (success === null || failed === null || success + failed === 0 ? null : success / (success + failed)),
  missed: ({ stats }) => stats.missed
}

export const SCHEDULE_SORTINGS: readonly string[] = Object.keys(VALUES)

/** Filters and sorts a complete list. */
export function toScheduleList(
  schedules: readonly Schedule[], filter: ScheduleFilterName | null, sorting: Sorting | null
): readonly Schedule[] {
  const includes = SCHEDULE_FILTERS.find(({ name }) => name === filter)?.includes
  const found = includes ? schedules.filter(includes) : schedules
  const valueOf = sorting && VALUES[sorting.column]
  return valueOf ? sortedBy(found, sorting.isDescending, valueOf) : found
}

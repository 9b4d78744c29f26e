import type { FailureGroup } from '../../../../schemas/index.ts'
import { sortedBy, type Sorting } from '../lists/sorting.ts'

const VALUES: Readonly<Record<string, (group: FailureGroup) => string | number>> = {
  group: ({ type, message }) => `${type} ${message}`,
  trend: ({ trend }) => trend.reduce((total, count) => total + count, 0),
  count: ({ count }) => count,
  when: ({ last_seen_at: at }) => Date.parse(at)
}

export const FAILURE_SORTINGS: readonly string[] = Object.keys(VALUES)

/** Sorts a complete list. */
export function sortedGroups(groups: readonly FailureGroup[], { column, isDescending }: Sorting): readonly FailureGroup[] {
  const valueOf = VALUES[column]
  return valueOf ? sortedBy(groups, isDescending, valueOf) : groups
}

import type { TaskTotals } from '../../backend/result-backend.ts'

/** The tasks that stand for a task in the history: itself, and its parts if it has any. */
export type Covered = (taskName: string) => readonly string[]

export const ONLY_ITSELF: Covered = taskName => [taskName]

/** Returns which of these tasks a given task is a part of; null if it is a part of none. */
export function wholesOf(taskNames: readonly string[], covered: Covered): (taskName: string) => string | null {
  const wholes = new Map(taskNames.flatMap(whole => covered(whole).filter(part => part !== whole).map(part => [part, whole] as const)))
  return taskName => wholes.get(taskName) ?? null
}

/** A filter by the tasks that a task covers, in the form for which the stores read less. */
export function ofTasks(taskName: string, taskNames: readonly string[]): { taskName: string } | { taskNames: readonly string[] } {
  return taskNames.length > 1 ? { taskNames } : { taskName: taskNames[0] ?? taskName }
}

/** Null if one of the counts is not known. */
export function sumOfKnown(counts: ReadonlyArray<number | null>): number | null {
  return counts.reduce((sum, count) => sum === null || count === null ? null : sum + count, 0)
}

/** All-time counters of several tasks together; undefined if there are none. */
export function sumOfTotals(totals: ReadonlyArray<TaskTotals | undefined>): TaskTotals | undefined {
  const known = totals.filter(each => each !== undefined)
  if (known.length < 2) return known[0]
  const sum = (field: 'success' | 'failed' | 'totalDurationMs' | 'timed'): number => known.reduce((total, each) => total + each[field], 0)
  const [last = null] = known.flatMap(each => each.last ?? []).sort((one, other) => other.finishedAt - one.finishedAt)
  return { success: sum('success'), failed: sum('failed'), totalDurationMs: sum('totalDurationMs'), timed: sum('timed'), last }
}

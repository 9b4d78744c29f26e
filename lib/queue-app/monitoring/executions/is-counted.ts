import { queueTaskOf } from '../../../engine/observing/job-task.ts'

/**
 * Whether all of these tasks are in the counts. A task is missing if its broker is down. The count of a queue covers the names of its jobs.
 */
export function isCounted(taskNames: readonly string[], counts: ReadonlyMap<string, unknown>): boolean {
  return taskNames.every(name => counts.has(name) || counts.has(queueTaskOf(name)))
}

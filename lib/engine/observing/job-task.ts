import { isTaskName } from './observed-source.ts'

/** A name that contains an id, such as a UUID or a long number, is different for each job. */
const HOLDS_ID = /\d{5}|[\da-f]{8}-[\da-f]{4}-|[\da-f]{16}/i

/**
 * The task name for all jobs of one name, in a queue whose jobs have several names: `mail:invoice`. BullMQ forbids `:` in queue names. So
 * the first `:` ends the queue name, and no other queue can have such a name.
 */
export function jobTaskOf(queueTask: string, jobName: string): string {
  return `${queueTask}:${jobName}`
}

/** The task of the queue that a task belongs to: the task itself, or the part before the job name. */
export function queueTaskOf(taskName: string): string {
  return taskName.split(':', 1)[0]!
}

/** Whether jobs of this name can be a task of their own. */
export function canBeTask(queueTask: string, jobName: string): boolean {
  return jobName !== '' && !HOLDS_ID.test(jobName) && isTaskName(jobTaskOf(queueTask, jobName))
}

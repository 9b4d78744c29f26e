import { isTaskName } from './discovery.ts'

/** A name that holds an id, such as a UUID or a long number, is another one for each job. */
const HOLDS_ID = /\d{5}|[\da-f]{8}-[\da-f]{4}-|[\da-f]{16}/i

/**
 * The task of the jobs of one name, in a queue whose jobs have several: `mail:invoice`. BullMQ forbids `:` in names of queues, so the first
 * one ends that of the queue, and no other queue can have such a name.
 */
export function jobTaskOf(queueTask: string, jobName: string): string {
  return `${queueTask}:${jobName}`
}

/** The task of the queue that a task belongs to: itself, or what is before the name of the job. */
export function queueTaskOf(taskName: string): string {
  return taskName.split(':', 1)[0]!
}

/** Whether jobs of this name can be a task of their own. */
export function canBeTask(queueTask: string, jobName: string): boolean {
  return jobName !== '' && !HOLDS_ID.test(jobName) && isTaskName(jobTaskOf(queueTask, jobName))
}

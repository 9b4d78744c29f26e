import { MAX_TASK_NAME_LENGTH, TASK_NAME_PATTERN } from '../../../schemas/limits.ts'
import { hasAtMost } from '../../input/has-at-most.ts'

/** Queue names have no colon, so execution ids can be parsed. */
export function taskNameOf(label: string | null, queueName: string): string {
  return label === null ? queueName : `${label}/${queueName}`
}

const PRINTABLE_NAME = new RegExp(TASK_NAME_PATTERN, 'u')

/** Whether a task can have this name. */
export function isTaskName(name: string): boolean {
  return name !== '.' && name !== '..' && hasAtMost(name, MAX_TASK_NAME_LENGTH) && PRINTABLE_NAME.test(name)
}

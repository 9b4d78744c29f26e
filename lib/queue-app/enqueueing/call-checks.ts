import { MAX_EXECUTION_ID_LENGTH, PRINTABLE } from '../../../schemas/limits.ts'
import { createTaskDashboardError } from '../../errors.ts'
import { hasAtMost } from '../../input/has-at-most.ts'
import { isObject } from '../../json/is-object.ts'

const TEXT = new RegExp(PRINTABLE, 'u')

/**
 * The name of the task that a caller passed as a `Task` or a string.
 * @throws INVALID_ARGUMENTS
 */
export function taskNameOf(task: unknown): string {
  if (typeof task === 'string' && task !== '') return task
  if (typeof task === 'object' && task !== null && 'name' in task && typeof task.name === 'string' && task.name !== '' && !isThenable(task))
    return task.name
  const remedy = typeof task === 'function'
    ? 'pass what queueApp.task() returned for it'
    : 'pass what queueApp.task() returned, or the name of a task'
  throw invalid(`the task ${mistaken(task, remedy)}`)
}

/** @throws INVALID_ARGUMENTS */
export function checkIdIsString(executionId: unknown): asserts executionId is string {
  if (typeof executionId !== 'string')
    throw invalid(`the id of the execution ${mistaken(executionId, 'pass the string that enqueue() resolved with')}`)
}

/** @throws INVALID_ARGUMENTS */
export function checkExecutionId(executionId: unknown): asserts executionId is string {
  checkIdIsString(executionId)
  if (!isExecutionId(executionId))
    throw invalid(`the id of an execution is 1 to ${MAX_EXECUTION_ID_LENGTH} printable characters; pass what enqueue() resolved with`)
}

/** Same rule as in the API. */
export function isExecutionId(text: string): boolean {
  return text !== '' && hasAtMost(text, MAX_EXECUTION_ID_LENGTH) && TEXT.test(text)
}

/** @throws INVALID_ARGUMENTS */
export function checkArray(name: string, value: unknown, whatFor: string): asserts value is readonly unknown[] {
  if (!Array.isArray(value)) throw invalid(`${name} ${mistaken(value, `it must be an array, ${whatFor}`)}`)
}

/** @throws INVALID_ARGUMENTS */
export function checkOptions(options: unknown): asserts options is object {
  if (!isObject(options) || isThenable(options)) {
    throw invalid(isThenable(options) ? 'options is a Promise: await it' : 'options must be an object')
  }
}

/** `is a Promise: await it`, or what the value is and what to pass instead. */
function mistaken(value: unknown, remedy: string): string {
  return isThenable(value) ? 'is a Promise: await it' : `is ${kindOf(value)}: ${remedy}`
}

function kindOf(value: unknown): string {
  if (value === undefined || value === null) return String(value)
  if (value === '') return 'an empty string'
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

function isThenable(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}

function invalid(reason: string) {
  return createTaskDashboardError('INVALID_ARGUMENTS', [reason])
}

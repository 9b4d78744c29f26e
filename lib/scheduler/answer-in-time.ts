import { withDeadline } from '../deadline.ts'
import { createTaskDashboardError, isTaskDashboardError } from '../errors.ts'

/** A request must not wait longer for the broker, however many calls it takes. */
const ANSWER_WITHIN_MS = 1500

/**
 * @param withinMs the patience of the store; default 1500
 * @returns runs work, and throws what it throws when it is an error of ours, else BROKER_UNAVAILABLE, in that time
 */
export function createAnswerInTime(withinMs: number = ANSWER_WITHIN_MS) {
  return function answerInTime<T>(work: () => Promise<T>): Promise<T> {
    return withDeadline(sayUnavailable(work), withinMs, () => createTaskDashboardError('BROKER_UNAVAILABLE'))
  }
}

/** The same without the limit: every single call of a store has its own. */
export async function sayUnavailable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw isTaskDashboardError(error) ? error : createTaskDashboardError('BROKER_UNAVAILABLE', [], { cause: error })
  }
}

import { withDeadline } from '../time/deadline.ts'
import { createTaskDashboardError } from '../errors.ts'
import { failedCall } from '../stores/failures/failed-call.ts'

/** On top of the time of one call: a broker that is slow may take several for a read, each with its own limit. */
const SLOW_READ_MS = 2_500

/**
 * @param patienceMs of the store, for one call; default 1500
 * @returns runs work, and throws what it throws when it is an error of ours, else BROKER_UNAVAILABLE or STORE_REFUSED, in that time
 */
export function createAnswerInTime(patienceMs = 1_500) {
  return function answerInTime<T>(work: () => Promise<T>): Promise<T> {
    return withDeadline(sayUnavailable(work), patienceMs + SLOW_READ_MS, () => createTaskDashboardError('BROKER_UNAVAILABLE'))
  }
}

/** The same without the limit: every single call of a store has its own. */
export async function sayUnavailable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw failedCall(error, 'broker')
  }
}

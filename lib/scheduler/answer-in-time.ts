import { createTaskDashboardError, isTaskDashboardError } from '../errors.ts'

/** A request must not wait longer for the broker, however many calls it takes. */
const ANSWER_WITHIN_MS = 1500

/** @throws what `work` throws when it is an error of ours, else BROKER_UNAVAILABLE, within 1.5 s */
export async function answerInTime<T>(work: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(createTaskDashboardError('BROKER_UNAVAILABLE')), ANSWER_WITHIN_MS)
  })
  try {
    return await Promise.race([sayUnavailable(work), late])
  } finally {
    clearTimeout(timer)
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

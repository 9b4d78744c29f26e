import { isTransientError } from '../engine/connection/transient-error.ts'
import { isTaskDashboardError } from '../errors.ts'
import { limitRepeats } from '../time/limit-repeats.ts'
import { MINUTE_MS } from '../time/units.ts'

/** How often the same error may repeat. */
const REPORTED_EVERY_MS = MINUTE_MS

/**
 * An `onError` for readers of a log: passes on each error as a sentence, and the same one at most once a minute, because while a server is
 * down, every attempt to connect fails.
 */
export function describeErrors(report: (sentence: string, error: Error) => void): (error: Error) => void {
  return limitRepeats(error => report(sentenceOf(error), error), REPORTED_EVERY_MS)
}

/** Messages of datastore clients do not say who sent the request or what happens next. */
function sentenceOf(error: Error): string {
  const isOfClient = !isTaskDashboardError(error) && isTransientError(error)
  return isOfClient ? `A background request to a datastore failed and will be retried: ${error.message}` : error.message
}

import { plannedTimeOf } from '../../../execution.ts'

const UUID_V7 = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** When an execution with this id was submitted or due, in milliseconds since the epoch; null if the id does not show it. */
export function timeOfExecutionId(executionId: string): number | null {
  const [, high, low] = UUID_V7.exec(executionId) ?? []
  if (high !== undefined) return parseInt(`${high}${low}`, 16)
  return plannedTimeOf(executionId)
}

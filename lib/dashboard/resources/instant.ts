import { createTaskDashboardError } from '../../errors.ts'

/** Milliseconds since the epoch. The format alone accepts times that do not exist, such as a leap second. */
export function instantFrom(text: string, parameter: string): number {
  const ms = Date.parse(text)
  if (!Number.isNaN(ms)) return ms
  const message = 'is not an instant that can be represented'
  throw createTaskDashboardError('INVALID_INPUT', [`"${parameter}" ${message}`], { errors: [{ pointer: `/${parameter}`, message }] })
}

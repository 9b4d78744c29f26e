import { createTaskDashboardError } from '../../errors.ts'

/** Throws INVALID_OPTIONS: what is said of a store cannot be meant. */
export function refuseSource(problem: string): never {
  throw createTaskDashboardError('INVALID_OPTIONS', [problem])
}

import { createTaskDashboardError } from '../../errors.ts'

/** @throws INVALID_OPTIONS for a store setting that makes no sense */
export function refuseSource(problem: string): never {
  throw createTaskDashboardError('INVALID_OPTIONS', [problem])
}

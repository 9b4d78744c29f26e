import { createTaskDashboardError, isDefect, isTaskDashboardError, type TaskDashboardError } from '../../errors.ts'
import type { StoreOptions } from '../store.ts'
import { storeRefusalOf } from './store-refusal.ts'

interface Done { readonly enqueuedIds?: readonly string[]; readonly unconfirmedIds?: readonly string[] }

/**
 * What whoever called learns of an error that a datastore, or the way to it, answered with: STORE_REFUSED for what does not pass by
 * itself, else BROKER_UNAVAILABLE or BACKEND_UNAVAILABLE, which say to try again. Errors of ours, and defects, stay what they are.
 */
export function failedCall(error: unknown, role: StoreOptions['role']): unknown {
  return isTaskDashboardError(error) || isDefect(error) ? error : unavailable(error, role)
}

/** The same for what is known to be no error of ours and no defect. `unconfirmedIds`, where there are any, make it UNCONFIRMED. */
export function unavailable(cause: unknown, role: StoreOptions['role'], done: Done = {}): TaskDashboardError {
  const refusal = storeRefusalOf(cause)
  if (refusal) return createTaskDashboardError('STORE_REFUSED', [role, refusal.reason, refusal.remedy], { ...done, cause })
  const isUnconfirmed = done.unconfirmedIds !== undefined && done.unconfirmedIds.length > 0
  const code = role === 'result backend' ? 'BACKEND_UNAVAILABLE' : isUnconfirmed ? 'UNCONFIRMED' : 'BROKER_UNAVAILABLE'
  return createTaskDashboardError(code, [], { ...done, cause })
}

/** Whether the datastore failed the call: it is away, or refuses. */
export function isStoreFailure(error: unknown): error is TaskDashboardError {
  return isTaskDashboardError(error) && (error.code === 'BROKER_UNAVAILABLE' || error.code === 'BACKEND_UNAVAILABLE' || error.code === 'STORE_REFUSED')
}

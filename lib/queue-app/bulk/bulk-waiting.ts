import type { TaskDashboardError } from '../../errors.ts'
import { isOutOfReach } from '../../stores/failures/unavailable.ts'
import { writeRefusalOf } from '../../stores/failures/write-refusal.ts'
import type { BulkStanding } from './bulk-records.ts'

/** What an operation waits for, and the error of that store if it refuses writes. */
export type Waiting = Pick<BulkStanding, 'waitingFor' | 'problem'>

export const NOT_WAITING: Waiting = { waitingFor: null, problem: null }

export function waitingWith(error: TaskDashboardError): Waiting {
  const isRefusal = error.code === 'STORE_REFUSED' || writeRefusalOf(error) !== null
  return { waitingFor: isOfBackend(error) ? 'result_backend' : 'broker', problem: isRefusal ? error.message : null }
}

/**
 * Whether a broker is down or refuses a command: the app's own broker, or a server of existing queues. An error of the result backend does
 * not count, because all operations need it.
 */
export function isBrokerAway(error: unknown): error is TaskDashboardError {
  return isOutOfReach(error) && !isOfBackend(error)
}

function isOfBackend({ code, message }: TaskDashboardError): boolean {
  return code === 'BACKEND_UNAVAILABLE' || message.startsWith('The result backend')
}

import type { TaskDashboardError } from '../../errors.ts'
import { isOutOfReach } from '../../stores/failures/unavailable.ts'
import { writeRefusalOf } from '../../stores/failures/write-refusal.ts'
import type { BulkStanding } from './bulk-records.ts'

/** What an operation waits for, and what that store says if it refuses. */
export type Waiting = Pick<BulkStanding, 'waitingFor' | 'problem'>

export const NOT_WAITING: Waiting = { waitingFor: null, problem: null }

export function waitingWith(error: TaskDashboardError): Waiting {
  const isRefusal = error.code === 'STORE_REFUSED' || writeRefusalOf(error) !== null
  return { waitingFor: isOfBackend(error) ? 'result_backend' : 'broker', problem: isRefusal ? error.message : null }
}

/** Whether one of the brokers is away or refuses: the own one, or a server of existing queues. All need the result backend. */
export function isBrokerAway(error: unknown): error is TaskDashboardError {
  return isOutOfReach(error) && !isOfBackend(error)
}

function isOfBackend({ code, message }: TaskDashboardError): boolean {
  return code === 'BACKEND_UNAVAILABLE' || message.startsWith('The result backend')
}

import type { ExecutionCancellation } from '../../execution.ts'
import type { Store } from '../../stores/store.ts'
import { toCancelMark } from '../jobs/job-cancellation.ts'
import type { CancelOutcome } from './cancel-outcome.ts'
import { cancelInSql } from './sql-cancel.ts'
import { cancelOnRedis } from './redis-cancel.ts'

/** @param now milliseconds since the epoch, by this process's clock, as for everything that finishes */
export function cancelExecution(
  store: Store, queueName: string, executionId: string, cancellation: ExecutionCancellation, now: number
): Promise<CancelOutcome> {
  const mark = toCancelMark(executionId, cancellation)
  return store.kind === 'redis'
    ? cancelOnRedis(store, queueName, executionId, mark, now)
    : cancelInSql(store, queueName, executionId, mark, now)
}

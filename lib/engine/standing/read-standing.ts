import type { Store } from '../../stores/store.ts'
import { MAX_DATE_MS } from '../../time/latest-times.ts'
import { executionFromJob } from '../jobs/job-mapper.ts'
import type { QueueSelection } from '../queues/queue-selection.ts'
import { readStandingOnRedis } from './redis-standing.ts'
import { readStandingInSql } from './sql-standing.ts'
import type { Standing } from './standing.ts'

/** Null if the broker does not have the execution. One round trip, if the queues are few or indexed. */
export async function readStanding(store: Store, queues: QueueSelection, executionId: string): Promise<Standing | null> {
  const found = await (store.kind === 'redis'
    ? readStandingOnRedis(store, queues, executionId)
    : readStandingInSql(store, queues, executionId))
  if (found === null) return null
  const { job, dueAt, lockedUntil, rateSpan, ...standing } = found
  return {
    ...standing,
    dueAt: dueAt === null ? null : Math.min(dueAt, MAX_DATE_MS),
    lockedUntil: lockedUntil === null ? null : Math.min(lockedUntil, MAX_DATE_MS),
    rateSpan: rateSpan && { ...rateSpan, endsAt: Math.min(rateSpan.endsAt, MAX_DATE_MS) },
    execution: executionFromJob(job, found.state, found.at)
  }
}
